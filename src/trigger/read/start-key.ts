import { WfError } from '../../errors'
import { assertOnConflict, isRunKey, type StartKey } from '../../run'
import { badRequest } from '../http-rejection'
import type { WfOutletConfig } from '../outlet-config'

/**
 * What finds the key of a start in its request; nothing where there are no keys.
 *
 * @throws WfError `WF_CONFIG`
 */
export function resolveKey({ runKey, onConflict }: WfOutletConfig) {
  assertOnConflict(onConflict)
  if (!runKey) {
    if (onConflict === undefined) return undefined
    throw new WfError('WF_CONFIG', 'onConflict says what becomes of a runKey, and there is none.')
  }
  return (body: Readonly<Record<string, unknown>>, wfid: string): StartKey | undefined => {
    const key = runKey(body, wfid)
    if (key === undefined) return undefined
    if (!isRunKey(key)) throw badRequest('What was sent is too long, or empty.')
    return { runKey: key, onConflict, isHidden: true }
  }
}
