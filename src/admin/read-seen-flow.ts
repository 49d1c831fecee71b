import type { WfAdminStoredRow, WfRowId } from '../store'
import { AdminRefusal, noSuchFlow } from './admin-refusal'
import type { Admin } from './admin-routes'
import { type ActionBody, readActionBody } from './read-action-body'
import { readRowId } from './read-row-id'

/** A flow as the admin has seen it, and what is to be done with it. */
export interface SeenFlow extends ActionBody {
  readonly id: WfRowId
  readonly row: WfAdminStoredRow
}

/**
 * The flow that an action is about. Whoever writes asks for the version again: this is only to
 * decide what to write.
 *
 * @throws AdminRefusal 404, 409
 */
export async function readSeenFlow(admin: Admin): Promise<SeenFlow> {
  const id = readRowId(admin)
  const body = await readActionBody()
  const view = await admin.store.getRow(id)
  if (!view) throw noSuchFlow()
  if (view.row.version !== body.version) {
    const problem = 'The flow has moved on since it was looked at.'
    throw new AdminRefusal(409, 'WF_CONFLICT', problem)
  }
  if (view.state) return { ...body, id, row: view.row }
  const problem = 'The state of this flow cannot be read. It can be revoked, and nothing else.'
  throw new AdminRefusal(409, 'WF_CONFLICT', problem)
}
