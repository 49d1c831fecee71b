import { WfError } from '../../errors'
import { stateToJson, type WfSetOptions, type WfState } from '../../state'
import { isExpired, toTime, wholeTime } from '../rows/expiry'
import { letOthersPass, ROUNDS } from '../rows/let-others-pass'
import { looksUp, type StateRows } from './state-rows'
import { isHandle, storedHandle, type WfStoredRow } from './stored-row'

/** What is to be written, given the row that is there, if it was looked up. */
type PayloadFor = (existing: WfStoredRow | null) => object

export interface WriteStateRowOptions extends WfSetOptions {
  readonly expiresAt: number | undefined
}

/**
 * Writes a state under a handle, whatever is there or one version alone.
 *
 * @throws WfError `WF_STATE_INVALID`, `WF_CONFLICT`
 */
export async function writeStateRow(
  states: StateRows,
  handle: string,
  state: WfState,
  { expiresAt, expectedVersion, follows }: WriteStateRowOptions,
): Promise<void> {
  const { hooks, options } = states
  assertState(handle, state)
  const json = stateToJson(state)
  const hashed = storedHandle(handle, options)
  const isBlind = expectedVersion === undefined && writesBlindly(states)
  // What is not written at once is copied: the caller may go on changing it.
  const isAtOnce = isBlind && typeof hashed === 'string'
  const kept = isAtOnce ? state : (JSON.parse(json) as WfState)
  const stored = typeof hashed === 'string' ? hashed : await hashed
  const now = wholeTime(options.clock)
  const stamps = { expiresAt: toTime(expiresAt), now, actor: hooks.getActor(), follows }
  const payloadFor: PayloadFor = existing =>
    hooks.buildSetPayload(stored, kept, { ...stamps, existing })
  if (isBlind) return upsert(states, payloadFor(null))
  if (expectedVersion === undefined) return findAndWrite(states, stored, payloadFor)
  return writeVersion(states, stored, payloadFor, { version: expectedVersion, now })
}

function assertState(handle: unknown, { schemaId, indexes }: WfState): void {
  if (!isHandle(handle)) throw new WfError('WF_STATE_INVALID', 'This cannot be a handle.')
  if (typeof schemaId !== 'string' || !Array.isArray(indexes)) {
    throw new WfError('WF_STATE_INVALID', 'This is not the state of a workflow.')
  }
}

/** Whether a row can be written in one statement, without knowing what is there. */
function writesBlindly(states: StateRows): boolean {
  const { rows, hooks } = states
  const needsExisting = looksUp(states) || hooks.overrides('buildSetPayload')
  const isInScope = Object.keys(rows.scope()).length > 0
  return rows.table.upsertOne !== undefined && !needsExisting && !isInScope
}

/** One statement for a row that may be there: for tables that can, where a handle is one row. */
async function upsert({ rows }: StateRows, payload: object): Promise<void> {
  await rows.table.upsertOne?.(payload, {
    conflict: ['handle'],
    insertOnly: [rows.idColumn, 'createdAt', 'createdBy'],
    increment: ['version'],
  })
}

/** Writes whatever is there, or inserts. */
async function findAndWrite(
  states: StateRows,
  handle: string,
  payloadFor: PayloadFor,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await letOthersPass(round)
    const existing = await states.hooks.findRow(handle)
    if (await writeOrInsert(states, handle, existing, payloadFor)) return
  }
  throw conflict()
}

/** Writes over one version, or inserts a handle that must be new (0). */
async function writeVersion(
  states: StateRows,
  handle: string,
  payloadFor: PayloadFor,
  { version, now }: { readonly version: number; readonly now: number },
): Promise<void> {
  const existing = await states.hooks.findRow(handle)
  // What has expired is as good as gone.
  const current = existing && !isExpired(existing, now) ? existing.version : 0
  if (current !== version) throw conflict()
  if (!(await writeOrInsert(states, handle, existing, payloadFor))) throw conflict()
}

/** `false` when another came first. */
async function writeOrInsert(
  states: StateRows,
  handle: string,
  existing: WfStoredRow | null,
  payloadFor: PayloadFor,
): Promise<boolean> {
  if (existing) return states.rows.write(existing, payloadFor(existing))
  return insert(states, handle, payloadFor)
}

/** How often an insert may fail for no reason that can be seen. */
const UNEXPLAINED = 20

async function insert(states: StateRows, handle: string, payloadFor: PayloadFor): Promise<boolean> {
  for (let failures = 1; ; failures++) {
    await letOthersPass(failures)
    try {
      await states.rows.table.insertOne(payloadFor(null))
      return true
    } catch (error) {
      // Tables differ in what they throw for a unique value that is taken; what is there tells,
      // unless it is gone again.
      if (isConflict(error) || (await findAnyRow(states, handle))) {
        if (await isForeign(states, handle)) throw conflict()
        return false
      }
      if (failures === UNEXPLAINED) throw error
    }
  }
}

/** Whether the handle is a row that this store does not see: one of another tenant. */
async function isForeign(states: StateRows, handle: string): Promise<boolean> {
  const { idColumn } = states.rows
  const before = await findAnyRow(states, handle)
  const own = before && (await states.hooks.findRow(handle))
  const after = before && !own && (await findAnyRow(states, handle))
  // The same row twice, and not ours in between: no coming and going can look like that.
  return Boolean(after && after[idColumn] === before[idColumn])
}

async function findAnyRow({ rows }: StateRows, handle: string): Promise<WfStoredRow | null> {
  return (await rows.table.findOne({ filter: { handle } })) as WfStoredRow | null
}

export const isConflict = (error: unknown): boolean =>
  error instanceof WfError && error.code === 'WF_CONFLICT'

function conflict(): WfError {
  return new WfError('WF_CONFLICT', 'The state was written by another meanwhile.')
}
