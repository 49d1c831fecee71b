// Does jobs in workerd without nodejs_compat: there is nothing of Node, and tokens need nothing of it.
import type { Job, Report } from './job'
import { provide } from './provided'
import { runSuite } from './run-suite'
import { sealTokens } from './sealed-tokens'

export default {
  async fetch(request: Request): Promise<Response> {
    const { suites, gifts, provided } = (await request.json()) as Job
    provide(provided)
    const reports: Report[] = []
    if (gifts) reports.push({ gifts: { tokens: await sealTokens(), orders: {} } })
    for (const suite of suites) reports.push({ suite, cases: await runSuite(suite) })
    return Response.json(reports)
  },
}
