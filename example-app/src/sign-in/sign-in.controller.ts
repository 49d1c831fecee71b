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
import { Accounts, normalizeEmail } from '../accounts/accounts'
import { isPassword } from '../accounts/password-hash'
import { Sessions } from '../accounts/sessions'
import { passwordLimits } from './limits'
import { markOf } from './recovery'
import { assertSamePassword } from './same-password'
import type { SignIn } from './sign-in'

/** A password, and a code for those accounts that want one. The steps of the codes are next door. */
@Controller('auth')
export class SignInController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
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
    const email = normalizeEmail(input.email)
    const limits = passwordLimits(email)
    await limits.spend()
    const user = await this.accounts.findByEmail(email)
    // An unknown account takes as long, and is answered the same.
    if (!(await isPassword(input.password, user?.passwordHash)) || !user) {
      return useAtscriptWf(SignInForm).requireInput({
        formMessage: 'The e-mail or the password is not right.',
      })
    }
    await limits.reset()
    ctx.userId = user.id
    ctx.passwordMark = markOf(user)
    ctx.signInId = randomUUID()
    ctx.isVerified = !user.totpSecret
    ctx.by = 'app'
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
}
