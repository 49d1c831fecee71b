import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { postgresDatabase, type TestDatabase } from '../support/databases'
import { root } from '../support/project'
import type { CaseResult } from './inside/case-runner'

interface Kept {
  readonly title: string
  readonly failures: readonly (CaseResult & { readonly suite: string })[]
  readonly rows: ReadonlyMap<string, Record<CaseResult['state'], number>>
}

/** The scripts are plain JavaScript, as everything that npm runs here. */
interface Scripts {
  readonly ProcessRuntime: new (command: readonly string[], options: object) => object
  readonly WorkerRuntime: new (kind: string, options: object) => object
  readonly Results: new () => { readonly hasFailed: boolean; readonly runtimes: readonly Kept[] }
  readonly runAll: (...given: unknown[]) => Promise<void>
}

async function load<K extends keyof Scripts>(file: string, name: K): Promise<Scripts[K]> {
  const script = (await import(join(root, 'scripts/runtimes', file))) as Scripts
  return script[name]
}

const suite = (name: string) => ({
  name,
  title: name,
  file: `test/fixtures/runtimes/${name}.check.ts`,
})

describe('a run on other runtimes', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await postgresDatabase()
  })
  afterAll(() => database.drop())

  async function outcomeOf(kind: string, suites: readonly ReturnType<typeof suite>[]) {
    const ProcessRuntime = await load('process-runtime.mjs', 'ProcessRuntime')
    const WorkerRuntime = await load('worker-runtime.mjs', 'WorkerRuntime')
    const Results = await load('results.mjs', 'Results')
    const runAll = await load('run-all.mjs', 'runAll')
    const said = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of said) spy.mockImplementation(() => {})
    const open = (options: object) =>
      kind === 'workerd'
        ? new WorkerRuntime('worker', { ...options, suites })
        : new ProcessRuntime([process.execPath], { ...options, suites })
    const results = new Results()
    const { url: sharedUrl } = database
    const provided = { postgresUrl: inject('postgresUrl'), sharedUrl, mysqlUrl: null }
    await runAll([{ name: kind, title: kind, open }], suites, provided, results)
    const [{ failures, rows } = { failures: [], rows: new Map() }] = results.runtimes
    const spoken = said.flatMap(({ mock }) => mock.calls).join('\n')
    return { failures, rows, spoken, hasFailed: results.hasFailed }
  }

  it.each(['workerd', 'process'])('is told of every case that fails in %s', async kind => {
    const { failures, rows, spoken, hasFailed } = await outcomeOf(kind, [
      suite('failing'),
      suite('unloadable'),
    ])
    expect(hasFailed).toBe(true)
    const named = failures.map(({ suite, path }) => [suite, ...path.slice(-2)].join(': '))
    const ofCases = named.filter(name => !name.includes('one that gives a state away twice'))
    expect(ofCases).toEqual([
      'failing: cases: fails at a matcher',
      'failing: cases: fails at a rejection',
      'failing: cases: fails at a count of assertions',
      'failing: cases: fails by what is thrown',
      'failing: a hook before: (outside of its cases)',
      'failing: a hook behind: (outside of its cases)',
      'unloadable: (outside of its cases)',
    ])
    expect(named).toContain(
      'failing: state strategy: one that gives a state away twice: gives a state away once',
    )
    expect(failures.map(({ error }) => error).join()).toContain('It cannot be loaded.')
    expect(spoken).toContain('FAILED state strategy: one that gives a state away twice')
    // The rest of a suite that fails is counted all the same.
    expect(rows.get('failing')?.passed).toBeGreaterThan(50)
    expect(rows.get('failing')?.excused).toBeGreaterThan(0)
  })

  it('fails a suite without cases', async () => {
    const { failures } = await outcomeOf('workerd', [suite('empty')])
    expect(failures).toMatchObject([{ suite: 'empty', error: 'It has no cases.' }])
  })

  it('fails the suites that a runtime which ends too early leaves behind', async () => {
    const { failures } = await outcomeOf('process', [suite('deadly'), suite('failing')])
    expect(failures).toMatchObject([
      { suite: 'deadly', error: expect.stringContaining('It ended too early (exit code 0).') },
      { suite: 'failing', error: expect.stringContaining('It ended too early') },
    ])
  })

  it('fails when a runtime cannot be had', async () => {
    const Results = await load('results.mjs', 'Results')
    const runAll = await load('run-all.mjs', 'runAll')
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const results = new Results()
    const open = () => {
      throw new Error('npm could not fetch it.')
    }
    await runAll([{ name: 'it', title: 'It', open }], [suite('failing')], {}, results)
    expect(results.hasFailed).toBe(true)
    expect(said).toHaveBeenCalledWith('it: npm could not fetch it.')
  })
})

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'scripts/test-runtimes.mjs'), ...args]).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
    )

  it('names what can be chosen', async () => {
    const { code, said } = await run('--help')
    expect(code).toBe(0)
    expect(said).toContain('Runtimes: node-20, node-22, node-24, node-26, bun, deno, workerd, ')
    expect(said).toContain('Suites:   strategies, stores, ')
  })

  it.each([
    [['--runtime', 'netscape'], 'There is no runtime "netscape". There are: node-20, '],
    [['--suite', 'tables,chairs'], 'There is no suite "chairs". There are: strategies, '],
    [['--write', '--suite', 'tables'], '--write needs the results of everything.'],
    [['--all'], "Unknown option '--all'"],
  ])('refuses %s with a sentence', async (args, sentence) => {
    const { code, said } = await run(...args)
    expect(code).toBe(2)
    expect(said).toContain(sentence)
  })
})
