import { createEmailOutlet, type WfOutlet } from '@atscript/moost-wf'
import { LINK_MAILS } from './link-mails'
import type { MailProvider } from './mail'

/** A pause that goes to somebody else: a mail with a link. The outbox tries until the provider takes it. */
export function mailOutlet(mails: MailProvider, publicUrl: string): WfOutlet {
  return createEmailOutlet(async ({ target, template, context, token, messageId }) => {
    const mail = LINK_MAILS[template]
    if (!mail) throw new Error(`There is no mail "${template}".`)
    // Behind the #: no server and no log on the way sees the token.
    const url = `${publicUrl}${mail.path}#wfs=${encodeURIComponent(token)}`
    const { subject, lines } = mail.write(context)
    const id = messageId ?? crypto.randomUUID()
    await mails.send({ id, to: target, subject, text: [...lines, url].join('\n\n') })
  })
}
