import { join } from 'node:path'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { WfEventRow, WfLinkRow, WfRunRow } from '../../example-app/schemas/WfRunRows.as'
import type { ExampleApp } from '../support/example-app'

const openSpace = ({ dataDir }: ExampleApp) => openSqlite(join(dataDir, 'app.db'))

const tablesOf = (space: ReturnType<typeof openSpace>) => ({
  runs: space.table(WfRunRow),
  events: space.table(WfEventRow),
  links: space.table(WfLinkRow),
})

/** The tables of the runs, behind the back of the application. */
export async function withRuns<T>(
  app: ExampleApp,
  use: (tables: ReturnType<typeof tablesOf>) => Promise<T>,
): Promise<T> {
  const space = openSpace(app)
  try {
    return await use(tablesOf(space))
  } finally {
    await space.close()
  }
}

/** As if its step had taken one process after the other along. */
export async function failRun(app: ExampleApp, inviteEmail: string): Promise<void> {
  await withRuns(app, async ({ runs, events }) => {
    const { flowId, schemaId, stepId, version } = (await runs.findOne({ filter: { inviteEmail } }))!
    const at = Date.now()
    const failed = { code: 'WF_LOST', times: 6 }
    await runs.updateMany(
      { flowId },
      {
        status: 'failed',
        version: version + 1,
        attempts: 6,
        lastError: { ...failed, at },
        completedAt: at,
      },
    )
    await events.insertOne({
      flowId,
      schemaId,
      seq: version + 1,
      type: 'workflow_failed',
      stepId,
      at,
      actor: 'recovery',
      detail: { from: 'active', to: 'failed', ...failed },
    })
  })
}
