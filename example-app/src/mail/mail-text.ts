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
}

/** A mail of a few paragraphs and perhaps a link, as text and as HTML. */
export function mailText(
  subject: string,
  paragraphs: readonly string[],
  link?: MailLink,
): MailText {
  const lines = link ? [...paragraphs, `${link.label}: ${link.url}`] : paragraphs
  const html = paragraphs.map(paragraph => `<p>${escape(paragraph)}</p>`)
  if (link) html.push(`<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`)
  return { subject, text: lines.join('\n\n'), html: html.join('\n') }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, char => ENTITIES[char] ?? '')
