import type { WfAnswer } from '@atscript/moost-wf/run'
import { HttpError } from '@atscript/moost-wf/http'
import { Accounts, normalizeEmail } from '../accounts/accounts'
import type { Expense, Part } from './expense'

/** Knows who may decide about an expense. */
export class Deciders {
  constructor(private readonly accounts: Accounts) {}

  /** Managers, then admins. Nobody approves what is their own. */
  async for(applicant: string): Promise<string[]> {
    const approvers = await this.accounts.findApprovers()
    return approvers.map(({ email }) => email).filter(email => email !== applicant)
  }

  /** Whoever is asked when the others take too long. */
  async nextFor({ applicant, parts }: Expense): Promise<string | undefined> {
    return (await this.for(applicant)).find(email => !isAmong(parts, email))
  }

  /**
   * Who has decided: the one whom the link was sent to. Whoever is signed in decides under the own name, and only if
   * they may; without a session, having the link is taken for being its recipient.
   *
   * @throws HttpError 403
   */
  async decider({ applicant }: Expense, { by, to }: WfAnswer): Promise<string> {
    const who = by ?? to
    const user = await this.accounts.findByEmail(who)
    // The account may be gone, or be one of the demo's, which others must not decide for.
    if (!user) throw new HttpError(403, 'Whoever this link was sent to has no account any more.')
    if (who === applicant) throw new HttpError(403, 'Nobody decides about their own expense.')
    if (who !== to && user.role === 'member') {
      throw new HttpError(403, 'Only managers decide about expenses of which they were not asked.')
    }
    return who
  }

  /** Why somebody cannot take a part over. */
  async reasonAgainst(expense: Expense, address: string): Promise<string | undefined> {
    const to = normalizeEmail(address)
    if (to === '') return 'Who shall decide?'
    if (to === expense.applicant) return 'It is their own expense.'
    if (isAmong(expense.parts, to)) return 'They are asked already.'
    return (await this.accounts.findByEmail(to)) ? undefined : 'Nobody here has this address.'
  }
}

const isAmong = (parts: readonly Part[], email: string): boolean =>
  parts.some(({ id, to }) => id === email || to === email)
