import { expect } from 'vitest'
import { type ExampleApp, type Mail, tokenIn, type Visitor } from '../support/example-app'

export const MEMBER = 'member@example.com'
export const MANAGER = 'manager@example.com'
export const SECOND = 'second-manager@example.com'
export const ADMIN = 'admin@example.com'

export const APPROVE = { action: 'approve', input: {} }
export const REJECT = { action: 'reject', input: {} }

export const QUEUED = { sent: true, outlet: 'email', queued: true }
export const NOTED = { noted: true }

/** A reminder may be what is waited for. */
const MAIL_MS = 10_000

// oxlint-disable-next-line typescript/no-explicit-any -- the JSON of an answer
type Json = any

/** The people of the demo, and what they do about expenses. */
export async function openExpenses(app: ExampleApp) {
  const signedIn = async (name: string) => {
    const visitor = app.visitor()
    await visitor.signIn(`${name}@example.com`, `${name}-password`)
    expect(await visitor.user()).not.toBeNull()
    return visitor
  }
  const [member, manager, second] = await Promise.all([
    signedIn('member'),
    signedIn('manager'),
    signedIn('second-manager'),
  ])
  const admin = app.visitor()
  await admin.signInAdmin()
  const mailsTo = async (to: string, about: string, subject = '') =>
    (await app.mails()).filter(
      mail => mail.to === to && mail.text.includes(about) && mail.subject.includes(subject),
    )
  /** The newest mail about something, once it is there. */
  const mailAbout = async (to: string, about: string, subject = ''): Promise<Mail> => {
    await expect.poll(() => mailsTo(to, about, subject), { timeout: MAIL_MS }).not.toEqual([])
    return (await mailsTo(to, about, subject))[0]!
  }
  return {
    member,
    manager,
    second,
    admin,
    mailsTo,
    submit: (amount: number, reason: string, visitor = member, currency = 'EUR') =>
      visitor.wf({ wfid: 'approvals/expense', input: { amount, currency, reason } }),
    mailAbout,
    /** The token of the newest link that somebody has got about something. */
    async linkTo(to: string, about: string, subject = ''): Promise<string> {
      return tokenIn(await mailAbout(to, about, subject))
    },
    async mine(reason: string, visitor: Visitor = member): Promise<Json> {
      const { body } = await visitor.get('/api/approvals')
      return body.mine.find((one: Json) => one.reason === reason)
    },
    async waitingFor(visitor: Visitor): Promise<string[]> {
      const { body } = await visitor.get('/api/approvals')
      return body.waiting.map(({ reason }: Json) => reason)
    },
  }
}

export type Expenses = Awaited<ReturnType<typeof openExpenses>>
