import type { WfAdminResent } from '../admin-answers'
import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { readSeenRun, who } from './runs-of'
import { requireResend, sendAgain } from './send-again'

/** Gives a run a new link and has it sent. If that fails, the old one still works. */
export async function resendRun(admin: Admin): Promise<WfAdminResent> {
  const { run } = await readSeenRun(admin)
  requireResend(admin)
  const { actor } = await who(admin)
  const version = await sendAgain(admin, run.flowId, actor)
  if (version === null) throw badRequest('This run waits for nobody who has a link.')
  return { version, sent: true }
}
