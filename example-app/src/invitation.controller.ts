import {
  outletEmail,
  outletHttp,
  Step,
  StepTTL,
  useWfFinished,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { useHeaders } from '@atscript/moost-wf/http'
import { Controller } from 'moost'

interface Invitation {
  email?: string
  name?: string
}

const THREE_DAYS_MS = 3 * 24 * 60 * 60 * 1000

const endpointOf = () => `http://${useHeaders().host}/api/wf`

/** Someone invites, someone else accepts: the second one holds a token that the first never sees. */
@Controller('users')
export class InvitationController {
  @Workflow('invite')
  @WorkflowSchema<Invitation>(['email', 'accept', 'welcome'])
  invite() {}

  @Step('email')
  email(
    @WorkflowParam('context') ctx: Invitation,
    @WorkflowParam('input') input?: { email?: unknown },
  ) {
    const email = input?.email
    if (typeof email !== 'string' || !email.includes('@')) {
      return outletHttp({ question: 'Whom do you want to invite?', field: 'email' })
    }
    ctx.email = email
  }

  @Step('accept')
  @StepTTL(THREE_DAYS_MS)
  accept(
    @WorkflowParam('context') ctx: Invitation,
    @WorkflowParam('input') input?: { name?: unknown },
  ) {
    if (typeof input?.name !== 'string' || input.name === '') {
      return outletEmail(String(ctx.email), 'invitation', { endpoint: endpointOf() })
    }
    ctx.name = input.name
  }

  @Step('welcome')
  welcome(@WorkflowParam('context') ctx: Invitation) {
    useWfFinished().set({ type: 'data', value: { welcome: ctx.name, email: ctx.email } })
  }
}
