import { useRouteParams } from '@wooksjs/event-core'
import { AdminRefusal } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import type { WfAdminQueued } from './run-answers'
import { readRecipient } from './read-recipient'
import { readSeenRun, runsOf, who } from './runs-of'

/** Sends a message of a run again, perhaps to another address. It is delivered behind the answer. */
export async function resendMessage(admin: Admin): Promise<WfAdminQueued> {
  const { run, fields } = await readSeenRun(admin)
  const id = useRouteParams().get('message')
  const messages = await runsOf(admin).messages(run.flowId)
  // Whoever may see this run might not see that of another message.
  const message = messages.find(({ messageId }) => messageId === id)
  if (!message) throw noSuchMessage()
  const to = readRecipient(fields.to, message.recipient)
  const how = { ...(await who(admin)), to }
  const version = await runsOf(admin).resend(message.messageId, how)
  if (version === null) throw noSuchMessage()
  return { version, queued: true }
}

/** Of the run that is looked at. */
export const noSuchMessage = () =>
  new AdminRefusal(404, 'WF_UNKNOWN', 'There is no such message of this run.')
