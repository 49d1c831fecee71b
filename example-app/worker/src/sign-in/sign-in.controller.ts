import {
  finishWf,
  Step,
  useAtscriptWf,
  useWfFacts,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { AddressForm, PasswordForm } from '../../schemas/SignInForms.as'
import { Accounts, normalizeEmail } from '../accounts/accounts'
import { isPassword } from '../accounts/password-hash'
import { Sessions } from '../accounts/sessions'
import type { RequestFacts } from '../api/wf-endpoint'
import { passwordLimits } from './limits'

interface SignIn {
  email: string
}

/** Address, then password. Between the two its state is a token, and stored nowhere. */
@Controller('auth')
export class SignInController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  @Workflow('sign-in')
  @WorkflowSchema<SignIn>(['address', 'password'])
  signIn() {}

  @Step('address')
  address(@WfInput() input: AddressForm, @WorkflowParam('context') ctx: SignIn) {
    ctx.email = normalizeEmail(input.email)
  }

  /** An unknown account takes as long as a wrong password, and is answered the same. */
  @Step('password')
  async password(@WfInput() input: PasswordForm, @WorkflowParam('context') { email }: SignIn) {
    const { network = '' } = useWfFacts<RequestFacts>()
    const limits = passwordLimits(network, email)
    await limits.spend()
    const user = await this.accounts.findByEmail(email)
    if (!(await isPassword(input.password, user?.passwordHash)) || !user) {
      return useAtscriptWf(PasswordForm).requireInput({
        formMessage: 'The e-mail or the password is not right.',
      })
    }
    await limits.reset()
    finishWf({
      message: `Welcome, ${user.name}.`,
      next: '/',
      cookies: await this.sessions.start(user),
    })
  }
}
