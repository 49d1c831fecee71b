import { randomUUID } from 'node:crypto'
import {
  finishWf,
  Step,
  useAtscriptWf,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { SignInForm } from '../../schemas/SignInForm.as'
import { Accounts, normalizeEmail, type User } from '../accounts/accounts'
import { Passwords } from '../accounts/passwords'
import { Sessions } from '../accounts/sessions'
import { Callers } from '../api/callers'
import { passwordLimits } from './limits'
import { maskEmail } from './mask-email'
import { markOf } from './recovery'
import { assertSamePassword } from './same-password'
import type { SignIn } from './sign-in'

/** A password, and a code for those accounts that want one. The steps of the codes are next door. */
@Controller('auth')
export class SignInController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly callers: Callers,
  ) {}

  @Workflow('login')
  @WorkflowSchema<SignIn>([
    'password',
    {
      while: ctx => !ctx.isVerified,
      steps: [
        { id: 'app-code', condition: ctx => ctx.by === 'app' },
        { id: 'mailed-code', condition: ctx => ctx.by === 'mail' },
        { id: 'recovery-code', condition: ctx => ctx.by === 'recovery' },
      ],
    },
    'session',
  ])
  login() {}

  @Step('password')
  async password(@WfInput() input: SignInForm, @WorkflowParam('context') ctx: SignIn) {
    const user = await this.#userWith(normalizeEmail(input.email), input.password)
    if (!user) {
      return useAtscriptWf(SignInForm).requireInput({
        formMessage: 'The e-mail or the password is not right.',
      })
    }
    ctx.userId = user.id
    ctx.passwordMark = markOf(user)
    ctx.signInId = randomUUID()
    ctx.isVerified = !user.totpSecret
    ctx.by = 'app'
    ctx.account = maskEmail(user.email)
    if (user.isDemo) ctx.demoAccount = user.email
  }

  @Step('session')
  async session(@WorkflowParam('context') ctx: SignIn) {
    const user = await this.accounts.findById(ctx.userId)
    if (!user) throw new HttpError(403, 'This account is gone.')
    assertSamePassword(ctx, user)
    finishWf({
      message: `Welcome, ${user.name}.`,
      next: '/',
      cookies: await this.sessions.start(user),
    })
  }

  /** An unknown account takes as long as a wrong password, and is answered the same. */
  #userWith(email: string, password: string): Promise<User | undefined> {
    const asker = this.callers.about(email)
    // A try that is sent away before its turn does not count.
    return this.passwords.inTurn(asker, async hasher => {
      const limits = passwordLimits(asker)
      await limits.spend()
      const user = await this.accounts.findByEmail(email)
      if (!(await hasher.isRight(password, user?.passwordHash))) return undefined
      await limits.reset()
      return user
    })
  }
}
