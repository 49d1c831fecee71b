import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { WfStateRow } from '../../example-app/schemas/WfStateRow.as'
import type { ExampleApp } from '../support/example-app'
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
  const handle = randomUUID()
  const hash = createHash('sha256').update(handle).digest('base64url')
  const now = Date.now()
  const flow = {
    ...JSON.parse(text),
    id: randomUUID(),
    handle: `sha256:${hash}`,
    createdAt: now,
    startedAt: now,
    updatedAt: now,
    expiresAt: now + 72 * HOUR,
  }
  await withFlows(app, table => table.insertOne(flow))
  return `${originOf(app)}/accept?wfs=handle.${handle}`
}
