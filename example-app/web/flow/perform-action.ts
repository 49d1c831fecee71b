import type { WfActionRequest, WfResponse } from '@atscript/moost-wf/client'
import { navigate } from '../router/router'
import { notify } from '../shell/notices'
import { messageOf, nextOf } from './flow-end'

/** How a page does what the end of a workflow asks for. */
export type Follow = (action: WfActionRequest, response: WfResponse) => unknown

/** Does it. The page of the workflow is not left behind in the history. */
export const performAction: Follow = (action, response) => {
  const message = messageOf(response)
  // Whoever is sent on at once has not read it.
  if (message && nextOf(response)?.trigger === 'immediate') notify(message.text)
  if (action.type === 'redirect') navigate(action.target, { replace: true })
  if (action.type === 'reload') location.reload()
}
