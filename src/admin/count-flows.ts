import type { WfCount } from '../store'
import type { WfAdminCounts } from './admin-answers'
import type { Admin } from './admin-routes'
import { statusFilter, timeOf } from './flow-status'
import { hideTokens } from './hide-tokens'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Where one age ends and the next begins. */
const AGES = [
  { label: 'under an hour', toMs: HOUR },
  { label: 'under a day', toMs: DAY },
  { label: 'under a week', toMs: 7 * DAY },
  { label: 'under 30 days', toMs: 30 * DAY },
  { label: 'over 30 days', toMs: null },
]

const MOST_WORKFLOWS = 100

/** How many flows are paused, by workflow and by age. The database counts. */
export async function countFlows({ store, wf }: Admin): Promise<WfAdminCounts> {
  const now = timeOf(store)
  const live = statusFilter('live', now)
  const expired = statusFilter('expired', now)
  const mostFrequent = { limit: MOST_WORKFLOWS }
  const [liveCount, expiredCount, liveBy, expiredBy, byAge] = await Promise.all([
    store.count({ filter: live }),
    store.count({ filter: expired }),
    store.countBy('schemaId', { filter: live, ...mostFrequent }),
    store.countBy('schemaId', { filter: expired, ...mostFrequent }),
    Promise.all(ageRanges().map(range => countAge(store, now, range))),
  ])
  const byWorkflow = joinCounts(liveBy, expiredBy).map(counts => ({
    ...counts,
    known: Boolean(wf.describe?.(counts.schemaId)),
  }))
  return {
    now,
    total: liveCount + expiredCount,
    live: liveCount,
    expired: expiredCount,
    byWorkflow: await hideTokens(byWorkflow, texts => store.handlesAmong(texts)),
    byAge,
  }
}

type AgeRange = Omit<WfAdminCounts['byAge'][number], 'count'>

function ageRanges(): AgeRange[] {
  return AGES.map(({ label, toMs }, at) => ({ label, fromMs: AGES[at - 1]?.toMs ?? 0, toMs }))
}

async function countAge(store: Admin['store'], now: number, range: AgeRange) {
  // What was written by a clock that is ahead is young.
  const youngest = range.fromMs === 0 ? {} : { $lte: now - range.fromMs }
  const oldest = range.toMs === null ? {} : { $gt: now - range.toMs }
  const count = await store.count({ filter: { updatedAt: { ...youngest, ...oldest } } })
  return { ...range, count }
}

function joinCounts(live: readonly WfCount[], expired: readonly WfCount[]) {
  const ids = [...new Set([...live, ...expired].map(({ value }) => value))]
  const of = (counts: readonly WfCount[], id: unknown) =>
    counts.find(({ value }) => value === id)?.count ?? 0
  return ids
    .map(id => {
      const counts = { live: of(live, id), expired: of(expired, id) }
      return { schemaId: String(id), count: counts.live + counts.expired, ...counts }
    })
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_WORKFLOWS)
}
