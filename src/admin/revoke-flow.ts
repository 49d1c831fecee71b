import { noSuchFlow } from './admin-refusal'
import type { Admin } from './admin-routes'
import { readActionBody } from './read-action-body'
import { readRowId } from './read-row-id'

/** Ends a flow: its links are dead. */
export async function revokeFlow(admin: Admin) {
  const id = readRowId(admin)
  const { version } = await readActionBody()
  if (!(await admin.store.revokeRow(id, version))) throw noSuchFlow()
  return { revoked: true }
}
