import type { WfReissuedLink } from '../../runs'
import { AdminRefusal } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { refusalOfResend, type WfResend } from '../resend-flow'
import { runsOf } from './runs-of'

/** What sends links again. @throws AdminRefusal 409 where there is none */
export function requireResend({ resend }: Admin): NonNullable<Admin['resend']> {
  if (resend) return resend
  throw new AdminRefusal(409, 'WF_NOT_ALLOWED', 'Links cannot be sent again here.')
}

/** Gives a run a new link and has it sent. @returns its version; `null` if it asks nobody */
export function sendAgain(
  admin: Admin,
  flowId: string,
  actor: string | undefined,
): Promise<number | null> {
  const resend = requireResend(admin)
  return runsOf(admin).reissue(flowId, {
    actor,
    deliver: async link => {
      try {
        await resend(describe(link))
      } catch (error) {
        throw refusalOfResend(error, link.token)
      }
    },
  })
}

function describe({ token, run, outlet, recipient, expiresAt }: WfReissuedLink): WfResend {
  const { schemaId, stepId, flowId, startedBy, context } = run
  return { token, recipient, schemaId, stepId, outlet, flowId, startedBy, expiresAt, context }
}
