import { createEmailOutlet, type WfOutlet } from '@atscript/moost-wf'
import { LINK_MAILS } from './link-mails'
import type { Mailer } from './mailer'
import type { PublicAddress } from './public-address'

/** A pause that goes to somebody else: a mail with a link. */
export function mailOutlet(mailer: Mailer, address: PublicAddress): WfOutlet {
  return createEmailOutlet(async ({ target, template, context, token, messageId, reminder }) => {
    const mail = LINK_MAILS[template]
    if (!mail) throw new Error(`There is no mail "${template}".`)
    const links = [address.linkTo(mail.path, token), address.plainLinkTo(token)] as const
    const text = mail.write({ ...context, reminder }, ...links)
    // Whether there is an account must not be told by the time that a mail takes, nor by its failing.
    if (context.isSilent !== true) await mailer.send(target, text, messageId)
    else if (context.isKnown === true) mailer.sendLater(target, text)
  })
}
