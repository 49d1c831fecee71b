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

/** As if its step had asked several people: who was invited, and others, of whom the first has agreed. */
export async function askSeveral(
  app: ExampleApp,
  inviteEmail: string,
  others: readonly string[],
): Promise<void> {
  await withRuns(app, async ({ runs, events, links }) => {
    const { flowId, schemaId, stepId, version, state } = (await runs.findOne({
      filter: { inviteEmail },
    }))!
    const meta = (state.meta ?? {}) as { wf: { pause: WfPause }; durable: { pause: number } }
    const { recipient, form = { id: 'none' }, ...pause } = meta.wf.pause
    const people = [inviteEmail, ...others]
    const at = Date.now()
    const seats = people.map((to, index) => ({
      id: to,
      recipient: { ...recipient!, target: to },
      form,
      ...(index === 1 && { answer: { at, action: 'approve', input: { comment: 'Welcome her.' } } }),
    }))
    const panel = { seats, rule: { needed: 2, agree: ['approve'], refuse: ['reject'] } }
    const { pause: made } = meta.durable
    const asked = Object.fromEntries(people.map(id => [id, made]))
    const [link] = await links.findMany({ filter: { flowId } })
    await links.updateMany({ flowId }, { seat: inviteEmail })
    for (const to of others) {
      await links.insertOne({ ...link!, hash: `seeded-${flowId}-${to}`, seat: to, recipient: to })
    }
    await runs.updateMany(
      { flowId },
      {
        version: version + 1,
        state: {
          ...state,
          meta: {
            ...meta,
            wf: { ...meta.wf, pause: { ...pause, panel } },
            durable: { ...meta.durable, seats: asked },
          },
        },
      },
    )
    const [, seat] = others.length > 0 ? seats : []
    await events.insertOne({
      flowId,
      schemaId,
      seq: version + 1,
      type: 'answered',
      stepId,
      at,
      detail: {
        seat: seat?.id,
        to: seat?.id,
        action: 'approve',
        stance: 'for',
        said: seat?.answer?.input,
      },
    })
  })
}

/** The parts of a pause that are changed here. */
interface WfPause {
  readonly recipient?: { readonly target: string }
  readonly form?: object
}
