import { makeGifts } from './gifts'
import type { Job, Report } from './job'
import { provide } from './provided'
import { runSuite } from './run-suite'
import { orderApp } from './the-order-app'

/** Does what it is told to. Databases and the application must be there already. */
export async function doJob(
  { suites, gifts, provided }: Job,
  say: (report: Report) => unknown,
): Promise<void> {
  provide(provided)
  if (gifts) await say({ gifts: await makeGifts(orderApp(), gifts) })
  for (const suite of suites) await say({ suite, cases: await runSuite(suite) })
}
