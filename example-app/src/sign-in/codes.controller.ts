import { abortWf, Step, useAtscriptWf, type WfForm, WorkflowParam } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { AppCodeForm, MailedCodeForm, RecoveryCodeForm } from '../../schemas/CodeForms.as'
import { Accounts, type User } from '../accounts/accounts'
import { mailText } from '../mail/mail-text'
import { Mailer } from '../mail/mailer'
import { assertMayMailCode, codeLimits } from './limits'
import { MailedCodes } from './mailed-codes'
import { assertSamePassword } from './same-password'
import type { CodeSource, SignIn } from './sign-in'
import { TotpCodes } from './totp'

type CodeForm = WfForm & (new () => { code: string })

const WRONG = 'This code is not right, or was used already.'
const NOT_MAILED = 'The mail could not be sent. Please try again, or choose another way.'
const MAILED_AGAIN = 'We have sent another code. The one before does not work any more.'
const RESEND_AFTER_MS = 30_000

/** The second factor of a sign-in: three ways to show it, and buttons that lead from one to another. */
@Controller('auth')
export class CodesController {
  constructor(
    private readonly accounts: Accounts,
    private readonly mailer: Mailer,
    private readonly totp: TotpCodes,
    private readonly mailed: MailedCodes,
  ) {}

  @Step('app-code')
  appCode(@WorkflowParam('context') ctx: SignIn) {
    return this.#ask(AppCodeForm, ctx, ({ id, totpSecret }, code) =>
      this.totp.use(id, totpSecret ?? '', code),
    )
  }

  @Step('mailed-code')
  mailedCode(@WorkflowParam('context') ctx: SignIn) {
    return this.#ask(MailedCodeForm, ctx, ({ id }, code) => this.mailed.use(id, code))
  }

  @Step('recovery-code')
  recoveryCode(@WorkflowParam('context') ctx: SignIn) {
    return this.#ask(RecoveryCodeForm, ctx, ({ id }, code) =>
      this.accounts.useRecoveryCode(id, code),
    )
  }

  async #ask(form: CodeForm, ctx: SignIn, use: (user: User, code: string) => Promise<boolean>) {
    const { resolveAction, resolveInput, requireInput } = useAtscriptWf(form)
    const action = resolveAction() as CodeSource | undefined
    const user = await this.#user(ctx)
    if (action) {
      ctx.notice = undefined
      const problem = action === 'mail' ? await this.#mail(ctx, user) : undefined
      if (problem) return requireInput({ formMessage: problem })
      ctx.by = action
      return
    }
    const { code } = resolveInput()
    ctx.notice = undefined
    const limits = codeLimits(user.id, ctx.signInId)
    const left = await limits.spend()
    if (left === undefined) return tooMany()
    if (!(await use(user, code))) {
      ctx.triesLeft = left
      return left === 0 ? tooMany() : requireInput({ errors: { code: WRONG } })
    }
    await limits.reset()
    ctx.isVerified = true
  }

  /** @returns what is wrong */
  async #mail(ctx: SignIn, user: User): Promise<string | undefined> {
    const { by, resendAt = 0 } = ctx
    const waitMs = resendAt - Date.now()
    // Whoever comes back from another way has a code that still works.
    if (waitMs > 0 && by !== 'mail') return undefined
    if (waitMs > 0) return `Please wait ${Math.ceil(waitMs / 1000)} seconds for another code.`
    if (!(await this.#mailCode(user))) return NOT_MAILED
    if (resendAt > 0) ctx.notice = MAILED_AGAIN
    ctx.resendAt = Date.now() + RESEND_AFTER_MS
    return undefined
  }

  async #mailCode({ id, email }: User): Promise<boolean> {
    await assertMayMailCode(id)
    const code = await this.mailed.make(id)
    return this.mailer.trySend(
      email,
      mailText(`Your code is ${code}`, [
        `Your code to sign in is ${code}. It works for ten minutes, once.`,
        'If you are not signing in right now, someone knows your password: change it.',
      ]),
    )
  }

  async #user(ctx: SignIn): Promise<User> {
    const user = await this.accounts.findById(ctx.userId)
    if (!user) throw new HttpError(403, 'This account is gone.')
    assertSamePassword(ctx, user)
    return user
  }
}

function tooMany(): never {
  return abortWf('too-many-codes', {
    message: 'Too many wrong codes. Please wait a quarter of an hour and sign in again.',
    next: '/sign-in',
  })
}
