import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/project'
import { TempProject } from '../support/temp-project'

interface Case {
  readonly title: string
  readonly status: string
}

const LONGEST_TITLE = 160

/** Runs the suites on what lacks something and does not say so. */
function runLacking() {
  const temp = new TempProject()
  const report = join(temp.folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...process.env, WF_TEST_FILES: 'test/fixtures/suites/lacking.check.ts' }
  const run = spawnSync('npx', ['vitest', 'run', ...reporters], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: Case[] }[]
  }
  temp.remove()
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { cases, output: stripVTControlCharacters(run.stdout + run.stderr) }
}

describe('a suite, on what lacks something and does not say so', () => {
  let outcome: ReturnType<typeof runLacking>
  beforeAll(() => {
    outcome = runLacking()
  })

  it('names the entry of lacks that would excuse each failed case', () => {
    const failed = outcome.cases.filter(({ status }) => status === 'failed')
    const named = [...outcome.output.matchAll(/say so: (\w+)\(\{ …, lacks: (.+) \}\)\./gu)]
    expect(named).toHaveLength(failed.length)
    expect(new Set(named.map(([, suite, entries]) => `${suite} ${entries}`))).toEqual(
      new Set([
        `describeStateStore { versions: 'why' }`,
        `describeStateStrategy { singleUse: 'why' }`,
        `describeStateStrategy { claims: 'why' }`,
        `describeStateStrategy { claims: 'why' } or { singleUse: 'why' }`,
        `describeStateStrategy { claims: 'why' } or { stays: 'why' }`,
        `describeStateStrategy { claims: 'why' } or { runKeys: 'why' }`,
        `describeStateStrategy { claims: 'why' } or { panels: 'why' }`,
        `describeStateStrategy { claims: 'why' } or { reissue: 'why' }`,
        `describeLedger { cleanup: 'why' }`,
        `describeTable { sharing: 'why' }`,
        `describeTable { sharing: 'why' } or { transactions: 'why' }`,
      ]),
    )
  })

  it('says which optional methods are not there', () => {
    for (const method of ['getExpired', 'cleanup']) {
      expect(outcome.output).toContain(`[there is no ${method}]`)
    }
  })

  it('has titles that can be read', () => {
    expect(outcome.cases.length).toBeGreaterThan(300)
    const longest = Math.max(...outcome.cases.map(({ title }) => title.length))
    expect(longest).toBeLessThan(LONGEST_TITLE)
  })
})
