import {
  abortWf,
  finishWf,
  outletEmail,
  Step,
  StepTTL,
  useAtscriptWf,
  useWfStep,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller, Intercept } from 'moost'
import { AcceptForm, InviteForm } from '../../schemas/InvitationForms.as'
import { Accounts, normalizeEmail, type Role } from '../accounts/accounts'
import { AdminsOnly } from '../accounts/guards'
import { Sessions } from '../accounts/sessions'

const THREE_DAYS_MS = 3 * 24 * 60 * 60_000

interface Invitation {
  invite: { email: string; role: Role; invitedBy: string }
}

/** An admin invites, someone else accepts, with a token that the admin never sees. */
@Controller('users')
export class InviteController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  @Workflow('invite')
  @WorkflowSchema<Invitation>(['invitation', 'acceptance'])
  invite() {}

  @Step('invitation')
  @Intercept(AdminsOnly)
  async invitation(@WfInput() input: InviteForm, @WorkflowParam('context') ctx: Invitation) {
    const admin = await this.sessions.withRole('admin')
    const email = normalizeEmail(input.email)
    if (await this.accounts.findByEmail(email)) {
      useAtscriptWf(InviteForm).requireInput({ errors: { email: 'They have an account already.' } })
    }
    ctx.invite = { email, role: input.role, invitedBy: admin.name }
  }

  @Step('acceptance')
  @StepTTL(THREE_DAYS_MS)
  async acceptance(
    @WorkflowParam('context') { invite: { invitedBy, email, role } }: Invitation,
    @WfInput({ ask: false }) input?: AcceptForm,
  ) {
    // The link shows the form, and is used by the first answer that it takes.
    if (!input) return outletEmail(email, 'invitation', { role, invitedBy }, { form: AcceptForm })
    // After a crash the same person is asked again, and the account may be there.
    const { idempotencyKey: id } = useWfStep()
    const account = { id, email, role, name: input.name.trim(), password: input.password }
    const user = await this.accounts.create(account)
    if (!user) {
      return abortWf('account-exists', {
        message: 'There is an account for this address already. Please sign in.',
        next: '/sign-in',
      })
    }
    finishWf({
      message: `Welcome, ${user.name}.`,
      next: '/',
      cookies: await this.sessions.start(user),
    })
  }
}
