import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFile, root } from '../support/project'

interface Named {
  readonly name: string
  readonly title: string
}

interface Results {
  begin(name: string, title: string): void
  add(runtime: string, report: object): void
}

interface Scripts {
  readonly Results: new () => Results
  readonly RUNTIMES: readonly Named[]
  readonly SUITES: readonly Named[]
  readonly tableOf: (results: Results) => string
}

const load = async (file: string): Promise<Scripts> =>
  (await import(join(root, 'scripts/runtimes', file))) as Scripts

const cases = (state: string, count: number, path: readonly string[]) =>
  Array.from({ length: count }, () => ({ path, state }))

describe('the table of runtimes', () => {
  it('has a row for each database of a suite, and says why something is not there', async () => {
    const { Results } = await load('results.mjs')
    const { tableOf } = await load('write-table.mjs')
    const results = new Results()
    results.begin('bun', 'Bun')
    results.begin('workerd', 'workerd')
    results.add('bun', { version: '1.4' })
    results.add('bun', { lacks: { D1: 'it is a binding of Workers' } })
    results.add('workerd', { version: '2.0' })
    results.add('bun', { suite: 'tables', cases: cases('passed', 3, ["on 'SQLite'", 'a']) })
    results.add('workerd', {
      suite: 'tables',
      cases: [
        ...cases('passed', 2, ['on D1', 'a']),
        ...cases('failed', 1, ['on D1', 'b']),
        ...cases('excused', 4, ['on D1', 'c (skipped: D1 keeps none open)']),
      ],
    })
    results.add('workerd', { suite: 'ledgers', cases: cases('passed', 5, ['ledger: memory']) })
    expect(tableOf(results).split('\n')).toEqual([
      '|  | Bun<br>1.4 | workerd<br>2.0 |',
      '| --- | --- | --- |',
      '| Ledgers: in memory | – | 5 |',
      '| Tables: SQLite | 3 | – |',
      '| Tables: D1 | – | 2 (1 failed, 4 excused) |',
      '',
      '- D1: it is a binding of Workers',
      '',
      'Cases are excused where the following is not promised:',
      '',
      '- D1 keeps none open',
    ])
  })

  it('is in the docs, with every runtime, every suite, and nothing that has failed', async () => {
    const { RUNTIMES } = await load('runtimes.mjs')
    const { SUITES } = await load('suites.mjs')
    const rows = readFile('docs/runtimes.md').text.match(/^\|.*\|$/gmu) ?? []
    const [heads = ''] = rows
    for (const { title } of RUNTIMES) expect(heads).toContain(title)
    for (const { title } of SUITES) {
      expect(
        rows.some(row => row.startsWith(`| ${title}`)),
        title,
      ).toBe(true)
    }
    expect(rows.join()).not.toContain('failed')
  })
})
