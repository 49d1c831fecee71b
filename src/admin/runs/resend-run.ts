import type { WfReissuedLink } from '../../runs'
import type { WfAdminResent } from '../admin-answers'
import { AdminRefusal, badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { refusalOfResend, type WfResend } from '../resend-flow'
import { readSeenRun, runsOf, who } from './runs-of'

/** Gives a run a new link and has it sent. If that fails, the old one still works. */
export async function resendRun(admin: Admin): Promise<WfAdminResent> {
  const { resend } = admin
  const { run } = await readSeenRun(admin)
  if (!resend) throw new AdminRefusal(409, 'WF_NOT_ALLOWED', 'Links cannot be sent again here.')
  const version = await runsOf(admin).reissue(run.flowId, {
    ...(await who(admin)),
    deliver: async link => {
      try {
        await resend(describe(link))
      } catch (error) {
        throw refusalOfResend(error, link.token)
      }
    },
  })
  if (version === null) throw badRequest('This run waits for nobody who has a link.')
  return { version, sent: true }
}

function describe({ token, run, outlet, recipient, expiresAt }: WfReissuedLink): WfResend {
  const { schemaId, stepId, flowId, startedBy, context } = run
  return { token, recipient, schemaId, stepId, outlet, flowId, startedBy, expiresAt, context }
}
