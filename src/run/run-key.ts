import { WfError } from '../errors'
import { isStorableText, type WfOnConflict } from '../state'

/** So that it fits into a unique index with its tenant's digest. */
const LONGEST_KEY = 200
const ON_CONFLICT: readonly unknown[] = [undefined, 'reject', 'join', 'supersede']

/** Whether a text can be the key of a run. */
export function isRunKey(key: unknown): key is string {
  return typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY && isStorableText(key)
}

/** @throws WfError `WF_STATE_INVALID` */
export function assertRunKey(key: unknown): void {
  if (isRunKey(key)) return
  throw new WfError('WF_STATE_INVALID', `A runKey is a text of 1 to ${LONGEST_KEY} characters.`)
}

/** @throws WfError `WF_CONFIG` */
export function assertOnConflict(onConflict: unknown): asserts onConflict is WfOnConflict {
  if (ON_CONFLICT.includes(onConflict)) return
  throw new WfError('WF_CONFIG', "onConflict is 'reject', 'join' or 'supersede'.")
}
