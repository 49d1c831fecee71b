import { isLocalPath } from '../router/local-path'
import { loadSession } from '../session/session'
import { type Follow, performAction } from './perform-action'

/**
 * Leaves a workflow that may have signed somebody in or out: to the page that the user came for, if there
 * is one, or where the server says.
 */
export function leaveFlow(wanted?: string | null): Follow {
  return async (action, response) => {
    await loadSession()
    const isWanted = action.type === 'redirect' && isLocalPath(wanted, location.origin)
    performAction(isWanted ? { ...action, target: wanted } : action, response)
  }
}
