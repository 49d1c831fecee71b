import { randomUUID } from 'node:crypto'
import { stateOf } from '../measure/sized-state.mjs'

export const TABLE = 'wf_states'

/** A field as the compiler writes it, of which the table layer reads no more than this. */
const field = (type, { optional = false, ...annotations } = {}) => ({
  type,
  optional,
  metadata: new Map(Object.entries(annotations)),
})
const text = annotations => field({ kind: '', designType: 'string' }, annotations)
const whole = annotations =>
  field({ kind: '', designType: 'number' }, { 'expect.int': true, ...annotations })
const json = () => field({ kind: 'object' }, { 'db.json': true })
const plainIndex = name => ({ 'db.index.plain': [{ name }] })
const shadow = path => ({ 'wf.store.fromContext': path })
const optional = true

/**
 * The columns of a state, an id and two shadow columns. Written out, so that the statements by hand
 * fit it, and a column that the published record gains does not change what is measured.
 */
export const StateRow = {
  type: {
    kind: 'object',
    props: new Map(
      Object.entries({
        handle: text({ 'db.index.unique': [{ name: 'handle_idx' }] }),
        schemaId: text(plainIndex('schema_idx')),
        state: json(),
        version: whole(),
        expiresAt: whole({ optional, ...plainIndex('expires_idx') }),
        updatedAt: whole(plainIndex('updated_idx')),
        createdAt: whole(),
        createdBy: text({ optional }),
        lastUpdatedBy: text({ optional }),
        id: text({ 'meta.id': true, 'db.default.uuid': true }),
        inviteEmail: text({ optional, ...plainIndex('email_idx'), ...shadow('email') }),
        inviteRole: text({ optional, ...plainIndex('role_idx'), ...shadow('roleName') }),
      }),
    ),
  },
  metadata: new Map([['db.table', TABLE]]),
}

const { schemaId, indexes, context } = stateOf(2048)
const state = { context, indexes }

/** What a caller writes: a row under a handle of its own, without the id, which is generated. */
export function newRow() {
  const now = Date.now()
  return {
    handle: randomUUID(),
    schemaId,
    state,
    version: 1,
    expiresAt: now + 1_800_000,
    updatedAt: now,
    createdAt: now,
    createdBy: 'ada',
    lastUpdatedBy: 'ada',
    inviteEmail: context.email,
    inviteRole: 'member',
  }
}
