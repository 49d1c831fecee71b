import { randomBytes } from 'node:crypto'
import {
  abortWf,
  finishWf,
  Step,
  StepTTL,
  useAtscriptWf,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { BeginSecondFactorForm, ConfirmSecondFactorForm } from '../../schemas/SecondFactorForms.as'
import { Accounts, type User } from '../accounts/accounts'
import { SignedInOnly } from '../accounts/guards'
import { Passwords } from '../accounts/passwords'
import { Sessions } from '../accounts/sessions'
import { Callers } from '../api/callers'
import { mailText } from '../mail/mail-text'
import { Mailer } from '../mail/mailer'
import { assertMayConfirm, passwordLimits } from './limits'
import { newTotpSecret, TotpCodes, totpUri } from './totp'

/** The context: what the app gets, which counts for nothing until a code of it was right. */
interface SecondFactor {
  userId: string
  secret: string
  uri: string
}

const A_QUARTER_MS = 15 * 60_000
const RECOVERY_CODES = 8

/** Whoever is signed in adds a second factor: a key for an app, a code of it, and codes for a bad day. */
@Controller('auth')
@Intercept(SignedInOnly)
export class SecondFactorController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly callers: Callers,
    private readonly totp: TotpCodes,
    private readonly mailer: Mailer,
  ) {}

  @Workflow('second-factor')
  @WorkflowSchema<SecondFactor>(['begin-second-factor', 'confirm-second-factor'])
  secondFactor() {}

  /** A session alone is not enough: it may be one that was left open. */
  @Step('begin-second-factor')
  async begin(
    @WfInput() input: BeginSecondFactorForm,
    @WorkflowParam('context') ctx: SecondFactor,
  ) {
    const user = await this.sessions.signedIn()
    if (user.totpSecret) return hasOne()
    if (!(await this.#isPassword(user, input.password))) {
      const errors = { password: 'This is not your password.' }
      return useAtscriptWf(BeginSecondFactorForm).requireInput({ errors })
    }
    ctx.userId = user.id
    ctx.secret = newTotpSecret()
    ctx.uri = totpUri(ctx.secret, user.email)
  }

  @Step('confirm-second-factor')
  @StepTTL(A_QUARTER_MS)
  async confirm(
    @WfInput() { code }: ConfirmSecondFactorForm,
    @WorkflowParam('context') { userId, secret }: SecondFactor,
  ) {
    const user = await this.sessions.signedIn()
    if (user.id !== userId) throw new HttpError(403, 'Somebody else has begun this.')
    if (user.totpSecret) return hasOne()
    await assertMayConfirm(userId)
    if (!(await this.totp.use(userId, secret, code))) {
      const errors = { code: 'This code is not right. Please check the clock of your phone.' }
      return useAtscriptWf(ConfirmSecondFactorForm).requireInput({ errors })
    }
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    if (!(await this.accounts.addSecondFactor(user, secret, recoveryCodes))) return hasOne()
    this.mailer.sendLater(
      user.email,
      mailText('Your account has a second factor', [
        'From now on you sign in with your password and a code of your app.',
        'If it was not you, tell an admin.',
      ]),
    )
    finishWf({ message: 'Your account has a second factor.', data: { recoveryCodes } })
  }

  #isPassword({ email, passwordHash }: User, password: string): Promise<boolean> {
    const asker = this.callers.about(email)
    return this.passwords.inTurn(asker, async hasher => {
      const limits = passwordLimits(asker)
      await limits.spend()
      const isRight = await hasher.isRight(password, passwordHash)
      if (isRight) await limits.reset()
      return isRight
    })
  }
}

/** Ten characters of 32: nobody guesses one. */
function newRecoveryCode(): string {
  const text = [...randomBytes(10)].map(byte => ALPHABET[byte % ALPHABET.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** Without those that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz234567890'

function hasOne(): never {
  return abortWf('has-one', { message: 'Your account has a second factor already.', next: '/' })
}
