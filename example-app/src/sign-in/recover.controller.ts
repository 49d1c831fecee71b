import {
  abortWf,
  finishWf,
  Step,
  StepTTL,
  swapStrategy,
  useAtscriptWf,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { NewPasswordForm, RecoverForm } from '../../schemas/RecoverForms.as'
import { Accounts, normalizeEmail, type User } from '../accounts/accounts'
import { Passwords } from '../accounts/passwords'
import { Callers } from '../api/callers'
import { mailText } from '../mail/mail-text'
import { Mailer } from '../mail/mailer'
import { mayMailRecovery } from './limits'
import { markOf, type Recovery, recoveryLink } from './recovery'

const AN_HOUR_MS = 60 * 60_000

/** A new password by mail. Whether there is an account is told by the mail and by nothing else. */
@Controller('auth')
export class RecoverController {
  constructor(
    private readonly accounts: Accounts,
    private readonly mailer: Mailer,
    private readonly passwords: Passwords,
    private readonly callers: Callers,
  ) {}

  @Workflow('recover')
  @WorkflowSchema<Recovery>(['recover-email', 'new-password'])
  recover() {}

  @Step('recover-email')
  async email(@WfInput() input: RecoverForm, @WorkflowParam('context') ctx: Recovery) {
    ctx.email = normalizeEmail(input.email)
    const mayMail = await mayMailRecovery(this.callers.about(ctx.email))
    const user = await this.accounts.findByEmail(ctx.email)
    if (!user || !mayMail) return
    ctx.userId = user.id
    ctx.passwordMark = markOf(user)
  }

  @Step('new-password')
  @StepTTL(AN_HOUR_MS)
  async newPassword(@WorkflowParam('context') ctx: Recovery) {
    if (!ctx.isMailed) {
      ctx.isMailed = true
      // Up to here anybody can come, as often as they like, and must leave no rows behind.
      swapStrategy('handle')
      return recoveryLink(ctx)
    }
    const { password } = useAtscriptWf(NewPasswordForm).resolveInput()
    const user = ctx.userId ? await this.accounts.findById(ctx.userId) : undefined
    const isFresh = user && markOf(user) === ctx.passwordMark
    if (!isFresh || !(await this.#change(user, password))) {
      return abortWf('password-changed', {
        message: 'The password was changed since this link was sent. Please ask for a new one.',
        next: '/recover',
      })
    }
    this.mailer.sendLater(
      user.email,
      mailText('Your password was changed', [
        'You can sign in with the new one. If it was not you, tell an admin.',
      ]),
    )
    // No session: a mail alone must not get past the second factor.
    finishWf({ message: 'Your password is changed. Please sign in.', next: '/sign-in' })
  }

  #change(user: User, password: string): Promise<boolean> {
    return this.passwords.inTurn(this.callers.about(user.email), hasher =>
      this.accounts.changePassword(user, password, hasher),
    )
  }
}
