/** A mail without its recipient. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A link with what it says. */
export interface MailLink {
  readonly label: string
  readonly url: string
  /** The same without JavaScript. */
  readonly plainUrl?: string
}

/** A mail of a few paragraphs and perhaps a link, as text and as HTML. */
export function mailText(
  subject: string,
  paragraphs: readonly string[],
  link?: MailLink,
): MailText {
  const links = linksOf(link)
  const lines = [...paragraphs, ...links.map(({ label, url }) => `${label}: ${url}`)]
  const html = [
    ...paragraphs.map(paragraph => `<p>${escape(paragraph)}</p>`),
    ...links.map(({ label, url }) => `<p><a href="${escape(url)}">${escape(label)}</a></p>`),
  ]
  return { subject, text: lines.join('\n\n'), html: html.join('\n') }
}

function linksOf(link: MailLink | undefined): MailLink[] {
  if (!link) return []
  const { plainUrl } = link
  return plainUrl ? [link, { label: 'Without JavaScript', url: plainUrl }] : [link]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, char => ENTITIES[char] ?? '')
