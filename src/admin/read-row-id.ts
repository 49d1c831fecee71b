import { useRouteParams } from '@wooksjs/event-core'
import { isStorableText } from '../state'
import type { WfRowId } from '../store'
import { noSuchFlow, unstorable } from './admin-refusal'
import type { Admin } from './admin-routes'
import { idColumnOf } from './shown-columns'

const LONGEST_ID = 640

/**
 * The id of a row in the address, which may be anything.
 *
 * @throws AdminRefusal 404 for what cannot be one, 400 for what cannot be kept
 */
export function readRowId(admin: Pick<Admin, 'store'>): WfRowId {
  const text = useRouteParams().get('id')
  const { type } = idColumnOf(admin)
  if (typeof text !== 'string' || text === '' || text.length > LONGEST_ID) throw noSuchFlow()
  if (!isStorableText(text)) throw unstorable('The id')
  if (type === 'string') return text
  // One spelling for one row: neither `1.0` nor `0x1` is another name of 1.
  const number = Number(text)
  if (!Number.isFinite(number) || String(number) !== text) throw noSuchFlow()
  return number
}
