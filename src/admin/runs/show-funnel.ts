import type { WfRunCount } from '../../runs'
import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { describeSteps } from '../describe-steps'
import { timeOf } from '../flow-status'
import { hideTokens } from '../hide-tokens'
import { readParams } from '../read-params'
import type { WfAdminRunFunnel, WfAdminStepCounts } from './run-answers'
import { stateFilter, type WfAdminRunState } from './run-state'
import { runsWithColumns } from './runs-of'

const MOST_STEPS = 200

/** How many runs of a workflow stand at each of its steps, and since when. */
export async function showFunnel(admin: Admin): Promise<WfAdminRunFunnel> {
  const { store, wf } = admin
  const schemaId = readParams(['workflow']).text('workflow')
  if (schemaId === undefined) throw badRequest('Say in "workflow" which one.')
  const now = timeOf(store)
  const counted = (state: WfAdminRunState) =>
    runsWithColumns(admin).countBy('stepId', {
      filter: { $and: [{ schemaId }, stateFilter(state, now)] },
      least: 'updatedAt',
      limit: MOST_STEPS,
    })
  const [live, error, expired] = await Promise.all([
    counted('live'),
    counted('error'),
    counted('expired'),
  ])
  const countsAt = (stepId: string | null): WfAdminStepCounts => {
    const at = (counts: readonly WfRunCount[]) => counts.find(({ value }) => value === stepId)
    const oldest = [live, error, expired].flatMap(counts => at(counts)?.least ?? [])
    return {
      live: at(live)?.count ?? 0,
      error: at(error)?.count ?? 0,
      expired: at(expired)?.count ?? 0,
      oldestAt: oldest.length > 0 ? Math.min(...oldest.map(Number)) : null,
    }
  }
  const { steps, groups } = describeSteps(wf.describe?.(schemaId), undefined)
  const known = new Set<unknown>(steps.map(({ id }) => id))
  const named = [live, error, expired].flatMap(counts => counts.map(({ value }) => value))
  const others = [...new Set(named)].filter(value => !known.has(value))
  const answer = {
    now,
    schemaId,
    steps: steps.map(step => ({ ...step, ...countsAt(step.id) })),
    groups,
    elsewhere: others.map(value => {
      const stepId = value === null ? null : String(value)
      return { stepId, ...countsAt(stepId) }
    }),
  }
  return hideTokens(answer, texts => store.handlesAmong(texts))
}
