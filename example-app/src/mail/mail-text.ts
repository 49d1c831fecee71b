import { mailHtml } from './mail-html'

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

/** What a mail is made of, however it is laid out. */
export interface MailParts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly link?: MailLink
}

/** A mail of a few paragraphs and perhaps a link, as text and as HTML. */
export function mailText(
  subject: string,
  paragraphs: readonly string[],
  link?: MailLink,
): MailText {
  const links = linksOf(link).map(({ label, url }) => `${label}: ${url}`)
  const text = [...paragraphs, ...links].join('\n\n')
  return { subject, text, html: mailHtml({ subject, paragraphs, link }) }
}

function linksOf(link: MailLink | undefined): MailLink[] {
  if (!link) return []
  const { plainUrl } = link
  return plainUrl ? [link, { label: 'Without JavaScript', url: plainUrl }] : [link]
}
