import {
  abortWf,
  finishWf,
  Step,
  StepTTL,
  useAtscriptWf,
  useWfFacts,
  useWfStep,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller, Intercept } from 'moost'
import { AcceptForm } from '../../schemas/AcceptForm.as'
import { InviteForm } from '../../schemas/InviteForm.as'
import { Accounts, normalizeEmail } from '../accounts/accounts'
import { AdminsOnly } from '../accounts/guards'
import { Passwords } from '../accounts/passwords'
import { Sessions } from '../accounts/sessions'
import type { RequestFacts } from '../api/callers'
import { type Invitation, invitationLink } from './invitation'

const THREE_DAYS_MS = 3 * 24 * 60 * 60_000

/** An admin invites, someone else accepts, with a token that the admin never sees. */
@Controller('users')
export class InviteController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
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
    @WorkflowParam('context') ctx: Invitation,
    @WfInput({ ask: false }) input?: AcceptForm,
  ) {
    const { invite } = ctx
    if (!input) {
      // Invitations of before have no form with their link: it is asked for when they are opened.
      if (ctx.isMailed) return useAtscriptWf(AcceptForm).requireInput()
      ctx.isMailed = true
      return invitationLink(ctx)
    }
    const { network = '' } = useWfFacts<RequestFacts>()
    // After a crash the same person is asked again, and the account may be there.
    const { idempotencyKey: id } = useWfStep()
    const account = { ...invite, id, name: input.name.trim(), password: input.password }
    const asker = { address: network, account: invite.email }
    const user = await this.passwords.inTurn(asker, hasher => this.accounts.create(account, hasher))
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
