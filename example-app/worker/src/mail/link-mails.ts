import { money } from '../approvals/money'

type Context = Readonly<Record<string, unknown>>

/** A mail that carries a link to go on with a workflow. */
interface LinkMail {
  /** The page that takes the link. */
  readonly path: string
  write(context: Context): { readonly subject: string; readonly lines: readonly string[] }
}

/** By the template that a step names in `outletEmail()`. */
export const LINK_MAILS: Readonly<Record<string, LinkMail>> = {
  invitation: {
    path: '/accept',
    write: ({ invitedBy, role }) => ({
      subject: 'You are invited',
      lines: [
        `${invitedBy} invites you to join as ${role}.`,
        'The link works for three days, once.',
      ],
    }),
  },
  approval: {
    path: '/decide',
    write: ({ applicant, amount, reason }) => ({
      subject: `Please decide: ${money(amount)} for ${applicant}`,
      lines: [
        `${applicant} asks for ${money(amount)}: ${reason}`,
        'Whoever has this link can decide. Opening it decides nothing.',
      ],
    }),
  },
}
