import { element, heading } from './element'
import { show } from './show'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly sentAt: number
}

/** The mails of the demo. */
export async function openInbox(): Promise<void> {
  const answer = await fetch('/api/inbox')
  const mails = answer.ok ? ((await answer.json()) as Mail[]) : []
  const list = mails.map(({ to, subject, text, sentAt }) =>
    element(
      'article',
      { class: 'mail' },
      element('h2', {}, subject),
      element('p', { class: 'muted' }, `To ${to}, ${new Date(sentAt).toLocaleString()}`),
      ...text.split('\n\n').map(paragraph => element('p', {}, withLinks(paragraph))),
    ),
  )
  const none = element('p', { class: 'muted' }, 'There are no mails yet.')
  show('Inbox', heading('Inbox'), ...(list.length > 0 ? list : [none]))
}

/** Links of this site; whatever else a mail says is text. */
function withLinks(paragraph: string): Node | string {
  if (!URL.canParse(paragraph) || new URL(paragraph).origin !== location.origin) return paragraph
  return element('a', { href: paragraph }, 'Open the link')
}
