import type { WfRunCount } from '../../runs'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { readParams } from '../read-params'
import type { WfAdminRunTrends } from './run-answers'
import { runsWithColumns } from './runs-of'

const HOUR = 60 * 60_000

/** How far back one looks, and in which parts. */
const SPANS = {
  day: { bucketMs: HOUR, buckets: 24 },
  week: { bucketMs: 6 * HOUR, buckets: 28 },
  month: { bucketMs: 24 * HOUR, buckets: 30 },
} as const

/** The spans that can be asked for. */
export type WfAdminTrendSpan = keyof typeof SPANS

const ENDS = ['completed', 'failed', 'cancelled'] as const

/** How many runs have begun and ended over time, how many were open, and how old the oldest of them was. */
export async function showTrends(admin: Admin): Promise<WfAdminRunTrends> {
  const params = readParams(['span', 'workflow'])
  const span = params.choice('span', ['day', 'week', 'month'], 'week')
  const schemaId = params.text('workflow')
  const { bucketMs, buckets } = SPANS[span]
  const now = timeOf(admin.store)
  const first = now - (now % bucketMs) - (buckets - 1) * bucketMs
  const runs = runsWithColumns(admin)
  const named = schemaId === undefined ? {} : { schemaId }
  const endedBy = (status: string) =>
    runs.countBy('completedAt', {
      filter: { ...named, status, completedAt: { $gte: first } },
      every: bucketMs,
      least: 'startedAt',
    })
  const [started, open, ...ended] = await Promise.all([
    runs.countBy('startedAt', {
      filter: { ...named, startedAt: { $gte: first } },
      every: bucketMs,
    }),
    runs.countBy('status', { filter: { ...named, completedAt: null }, least: 'startedAt' }),
    ...ENDS.map(endedBy),
  ])
  const trend = { open: sumOf(open), oldest: leastOf(open) }
  const shown: WfAdminRunTrends['buckets'][number][] = []
  // Backwards: what has ended since was open before, and what has begun since was not.
  for (let from = now - (now % bucketMs); from >= first; from -= bucketMs) {
    const to = Math.min(now, from + bucketMs)
    const within = (counts: readonly WfRunCount[]) => counts.filter(({ value }) => value === from)
    const [completed = 0, failed = 0, cancelled = 0] = ended.map(counts => sumOf(within(counts)))
    const begun = sumOf(within(started))
    const isThere = trend.open > 0 && trend.oldest <= to
    shown.unshift({
      from,
      to,
      started: begun,
      completed,
      failed,
      cancelled,
      open: trend.open,
      oldestMs: isThere ? to - trend.oldest : null,
    })
    trend.open = Math.max(0, trend.open + completed + failed + cancelled - begun)
    trend.oldest = Math.min(trend.oldest, ...ended.map(counts => leastOf(within(counts))))
  }
  return { now, span, bucketMs, buckets: shown }
}

const sumOf = (counts: readonly WfRunCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

const leastOf = (counts: readonly WfRunCount[]): number =>
  Math.min(...counts.map(({ least }) => (typeof least === 'number' ? least : Infinity)))
