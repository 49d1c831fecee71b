import type { WfRunView } from '../../runs'
import type { Admin } from '../admin-routes'
import { lookInside } from './look-inside'
import type { RunSelection } from './run-selection'
import { runsOf } from './runs-of'

const AT_ONCE = 200

/** The runs that are meant, page by page, with how many were looked at for each page. */
export async function* eachRun(
  admin: Admin,
  { query, inside }: RunSelection,
  atOnce = AT_ONCE,
): AsyncGenerator<{ readonly runs: readonly WfRunView[]; readonly looked: number }> {
  let after: string | undefined
  do {
    const { runs, next } = await runsOf(admin).list({ ...query, limit: atOnce, after })
    if (inside === undefined) yield { runs, looked: runs.length }
    else {
      const found = await lookInside(admin, runs, inside)
      yield { runs: runs.filter(({ flowId }) => found.has(flowId)), looked: runs.length }
    }
    after = next
  } while (after !== undefined)
}
