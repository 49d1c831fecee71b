import type { WfRunPage, WfRunView } from '../../runs'
import type { Admin } from '../admin-routes'
import { lookInside } from './look-inside'
import type { RunSelection } from './run-selection'
import { runsOf } from './runs-of'

/** Runs whose contexts are looked at for one answer. */
const MOST_LOOKED = 2000
const AT_ONCE = 100

/** A page of runs whose contexts hold a text, and how many were looked at; there may be more behind it. */
export async function findInside(
  admin: Admin,
  { query, inside = '' }: RunSelection,
  { size, after: from }: { readonly size: number; readonly after: string | undefined },
): Promise<WfRunPage & { readonly looked: number }> {
  const found: WfRunView[] = []
  let looked = 0
  let after = from
  while (looked < MOST_LOOKED) {
    const page = await runsOf(admin).list({ ...query, limit: AT_ONCE, after })
    const holding = await lookInside(admin, page.runs, inside)
    for (const [at, run] of page.runs.entries()) {
      if (!holding.has(run.flowId)) continue
      found.push(run)
      if (found.length < size) continue
      // The page ends here: the next one begins behind this run.
      const { next } = await runsOf(admin).list({ ...query, limit: at + 1, after })
      return { runs: found, next, looked: looked + at + 1 }
    }
    looked += page.runs.length
    after = page.next
    if (after === undefined) break
  }
  return { runs: found, next: after, looked }
}
