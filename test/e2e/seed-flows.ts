import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { WfStateRow } from '../../example-app/schemas/WfStateRow.as'
import type { ExampleApp } from '../support/example-app'
import EXPENSES from '../fixtures/example-app/expenses-on-handles.json'
import OLD from '../fixtures/example-app/invitations-on-handles.json'
import { originOf } from './site'

const HOUR = 60 * 60_000

const openSpace = ({ dataDir }: ExampleApp) => openSqlite(join(dataDir, 'app.db'))

/** The table of the flows, behind the back of the application. */
export async function withFlows<T>(
  app: ExampleApp,
  use: (table: ReturnType<typeof tableOf>) => Promise<T>,
): Promise<T> {
  const space = openSpace(app)
  try {
    return await use(tableOf(space))
  } finally {
    await space.close()
  }
}

const tableOf = (space: ReturnType<typeof openSpace>) => space.table(WfStateRow)

export interface SeededFlow {
  readonly schemaId: string
  readonly ageHours: number
  /** Since when it is expired, or until when it is not. */
  readonly leftHours: number
  readonly context?: Readonly<Record<string, unknown>>
}

/** Flows of the past, which no test can wait for. */
export async function seedFlows(app: ExampleApp, flows: readonly SeededFlow[]): Promise<void> {
  const now = Date.now()
  const rows = flows.map(({ schemaId, ageHours, leftHours, context = {} }) => ({
    id: randomUUID(),
    handle: randomUUID(),
    schemaId,
    state: { context, indexes: [1] },
    version: 1,
    flowId: randomUUID(),
    createdAt: now - ageHours * HOUR,
    startedAt: now - ageHours * HOUR,
    updatedAt: now - ageHours * HOUR,
    expiresAt: now + leftHours * HOUR,
  }))
  await withFlows(app, table => table.insertMany(rows))
}

/** An invitation of before, which waits on a handle, and its link. */
export async function seedInvitation(app: ExampleApp, email: string, role: string) {
  const { row } = OLD[0]!
  const text = JSON.stringify(row)
    .replaceAll(row.inviteEmail, email)
    .replaceAll('"member"', `"${role}"`)
  const handle = await seedWaiting(app, JSON.parse(text) as typeof row)
  return `${originOf(app)}/accept?wfs=handle.${handle}`
}

/** An expense of before, which waits on a handle for the manager, or for its applicant, and the token of its link. */
export async function seedExpense(app: ExampleApp, amount: number, status = 'waiting') {
  const { row } = EXPENSES.find(one => one.row.state.context.status === status)!
  const context = { ...row.state.context, id: randomUUID(), amount }
  const waiting = { ...row, amount, state: { ...row.state, context } }
  const handle = await seedWaiting(app, waiting)
  return { token: `handle.${handle}`, reason: context.reason }
}

interface WaitingRow {
  readonly schemaId: string
  readonly version: number
  readonly state: { readonly context: object; readonly indexes: number[] }
}

/** A row of before as one of today. */
async function seedWaiting(app: ExampleApp, { state, ...row }: WaitingRow): Promise<string> {
  const handle = randomUUID()
  const hash = createHash('sha256').update(handle).digest('base64url')
  const now = Date.now()
  const ids = { id: randomUUID(), flowId: randomUUID() }
  const times = { createdAt: now, startedAt: now, updatedAt: now, expiresAt: now + 72 * HOUR }
  const flow = { ...row, ...ids, ...times, handle: `sha256:${hash}`, state: stateOf(state, ids) }
  await withFlows(app, table => table.insertOne(flow))
  return handle
}

/** Each flow knows itself by its own id. */
const stateOf = <S>(state: S, { flowId }: { flowId: string }) =>
  JSON.parse(JSON.stringify(state).replace(/"flowId":"[^"]*"/u, `"flowId":"${flowId}"`)) as S & {
    context: unknown
    indexes: number[]
  }
