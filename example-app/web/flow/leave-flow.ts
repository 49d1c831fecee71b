import type { WfResponse } from '@atscript/moost-wf/client'
import { isLocalPath } from '../router/local-path'
import { navigate } from '../router/router'
import { loadSession } from '../session/session'
import { notify } from '../shell/notices'

/**
 * Goes where a workflow that has ended leads: to the page that the user came for, if there is one, or
 * where the server says. The page of the workflow is not left behind in the history.
 */
export async function leaveFlow({ message, next }: WfResponse, wanted?: string | null) {
  await loadSession()
  if (message) notify(message)
  const target = [wanted, next].find(path => isLocalPath(path, location.origin))
  navigate(target ?? '/', { replace: true })
}
