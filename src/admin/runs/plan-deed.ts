import type { WfRunView } from '../../runs'
import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import type { AskedDeed } from './read-deed'
import { eachRun } from './each-run'
import type { WfAdminDeedPreview } from './run-answers'
import { obstacleTo, type WfAdminRunObstacle } from './run-deeds'
import { runsOf } from './runs-of'

/** Runs that are looked at for one action. */
const MOST_RUNS = 10_000

/** What is to be done with which runs, as they were seen. */
export interface DeedPlan {
  readonly todo: readonly Pick<WfRunView, 'flowId' | 'version' | 'schemaId'>[]
  readonly preview: WfAdminDeedPreview
}

/**
 * Looks at all runs that are meant, and does nothing yet.
 *
 * @throws AdminRefusal 400 for more than can be done at once
 */
export async function planDeed(admin: Admin, asked: AskedDeed): Promise<DeedPlan> {
  const now = timeOf(admin.store)
  const todo: Pick<WfRunView, 'flowId' | 'version' | 'schemaId'>[] = []
  const left = new Map<WfAdminRunObstacle, number>()
  const counts = new Map<string, number>()
  let matched = 0
  for await (const { run, obstacle } of meantBy(admin, asked)) {
    matched++
    const why = obstacle ?? (run && obstacleTo(asked, run, now)) ?? null
    if (why !== null) left.set(why, (left.get(why) ?? 0) + 1)
    else if (run) {
      const { flowId, version, schemaId } = run
      todo.push({ flowId, version, schemaId })
      counts.set(schemaId, (counts.get(schemaId) ?? 0) + 1)
    }
  }
  return {
    todo,
    preview: {
      now,
      action: asked.deed,
      matched,
      count: todo.length,
      left: [...left].map(([reason, count]) => ({ reason, count })),
      byWorkflow: [...counts].map(([schemaId, count]) => ({ schemaId, count })),
    },
  }
}

interface Meant {
  readonly run?: WfRunView | undefined
  readonly obstacle?: WfAdminRunObstacle | undefined
}

async function* meantBy(admin: Admin, { seen, selection }: AskedDeed): AsyncGenerator<Meant> {
  if (seen) {
    const runs = await runsOf(admin).getMany([...seen.keys()])
    const found = new Map(runs.map(run => [run.flowId, run]))
    for (const [flowId, version] of seen) {
      const run = found.get(flowId)
      if (!run) yield { obstacle: 'gone' }
      else yield run.version === version ? { run } : { obstacle: 'moved-on' }
    }
    return
  }
  let looked = 0
  for await (const page of eachRun(admin, selection)) {
    looked += page.looked
    if (looked > MOST_RUNS) throw badRequest(`More than ${MOST_RUNS} runs match. Narrow it down.`)
    for (const run of page.runs) yield { run }
  }
}
