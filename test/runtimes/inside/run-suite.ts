import { startTests } from '@vitest/runner'
import { type CaseResult, CaseRunner, resultsOf } from './case-runner'
import { SUITES } from './suites'

/** Runs one suite. Its databases and what else it needs must be there already. */
export async function runSuite(name: string): Promise<CaseResult[]> {
  const load = SUITES[name]
  if (!load) throw new Error(`There is no suite "${name}".`)
  const files = await startTests([name], new CaseRunner(load))
  return files.flatMap(resultsOf)
}
