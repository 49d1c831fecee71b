import { money } from '../approvals/money'
import { type MailText, mailText } from './mail-text'

type Context = Readonly<Record<string, unknown>>

/** A mail that carries a link to go on with a workflow. */
export interface LinkMail {
  /** The page that takes the link. */
  readonly path: string
  write(context: Context, url: string, plainUrl: string): MailText
}

/** By the template that a step names in `outletEmail()`. */
export const LINK_MAILS: Readonly<Record<string, LinkMail>> = {
  invitation: {
    path: '/accept',
    write: ({ invitedBy, role }, url) =>
      mailText(
        'You are invited',
        [`${invitedBy} invites you to join as ${role}.`, 'The link works for three days, once.'],
        { label: 'Accept the invitation', url },
      ),
  },
  recovery: {
    path: '/recover',
    write: (_context, url) =>
      mailText(
        'Set a new password',
        [
          'Someone, hopefully you, wants to set a new password for your account.',
          'The link works for an hour, once. If it was not you, ignore this mail.',
        ],
        { label: 'Set a new password', url },
      ),
  },
  approval: {
    path: '/approve',
    write: ({ applicant, amount, currency, reason, answer, ...how }, url, plainUrl) =>
      mailText(
        `${how.reminder ? 'Reminder: please' : 'Please'} decide: ${money(amount, currency)} for ${applicant}`,
        [
          `${applicant} asks for ${money(amount, currency)}: ${reason}`,
          ...(answer === undefined ? [] : [`They have answered: ${answer}`]),
          ...(how.isLate
            ? ['Nobody has decided in time, so you are asked as well, or again.']
            : []),
          how.mustSignIn
            ? 'You decide when you are signed in. Opening the link decides nothing.'
            : 'Whoever has this link can decide. Opening it decides nothing.',
        ],
        { label: 'Approve, reject, delegate or ask', url, plainUrl },
      ),
  },
  question: {
    path: '/approve',
    write: ({ approver, amount, currency, reason, question }, url, plainUrl) =>
      mailText(
        `A question about your expense of ${money(amount, currency)}`,
        [`${approver} asks about "${reason}":`, String(question)],
        { label: 'Answer', url, plainUrl },
      ),
  },
}
