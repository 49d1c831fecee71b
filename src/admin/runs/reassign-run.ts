import { AdminRefusal, badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { isSameAddress, partsOf } from './asked-parts'
import { readReason } from './change-run'
import { readNewRecipient, readUser } from './read-recipient'
import type { WfAdminQueued } from './run-answers'
import { readSeenRun, runsOf, who } from './runs-of'

const NO_OUTBOX = 'Without an outbox nothing can be given to somebody else.'

/** Gives the part of somebody who is asked to somebody else. Their message is delivered behind the answer. */
export async function reassignRun(admin: Admin): Promise<WfAdminQueued> {
  const { run, fields } = await readSeenRun(admin)
  const { from } = fields
  if (typeof from !== 'string') throw badRequest('"from" is the "id" of somebody who is asked.')
  const parts = partsOf(run)
  const part = parts.find(({ id }) => id === from)
  if (!part) throw cannot('This run does not ask them, or not any more.')
  const to = readNewRecipient(fields.to, part.to)
  const [user, reason] = [readUser(fields), readReason(fields)]
  if (parts.some(other => other !== part && isSameAddress(other.to, to))) {
    throw cannot('They are asked already: they cannot answer for two.')
  }
  const how = { ...(await who(admin)), from, to, user, reason }
  const version = await runsOf(admin).reassign(run.flowId, how)
  if (version === null) throw new AdminRefusal(409, 'WF_NOT_ALLOWED', NO_OUTBOX)
  return { version, queued: true }
}

const cannot = (message: string) => new AdminRefusal(409, 'WF_TRANSITION', message)
