/** A part of a text, and where it leads if it is a link. */
export interface TextPart {
  readonly text: string
  /** A path of this site, or the address of another one. */
  readonly href?: string
  readonly isLocal?: boolean
}

/** Finds the links in a text. Those to this site are shortened: they carry a token. */
export function linkify(text: string, ownOrigin: string): TextPart[] {
  return text
    .split(/(https?:\/\/\S+)/u)
    .filter(Boolean)
    .map(part =>
      URL.canParse(part) && /^https?:/u.test(part)
        ? linkTo(new URL(part), ownOrigin)
        : { text: part },
    )
}

function linkTo({ origin, href, pathname, search }: URL, ownOrigin: string): TextPart {
  if (origin !== ownOrigin || pathname.startsWith('//')) return { text: href, href }
  return {
    text: `${origin}${pathname}${search && '?…'}`,
    href: `${pathname}${search}`,
    isLocal: true,
  }
}
