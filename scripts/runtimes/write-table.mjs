import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const PAGE = join(root, 'docs/runtimes.md')
const BEGIN = '<!-- What is below is written by `npm run test:runtimes -- --write`. -->'
const END = '<!-- Until here. -->'

/** Puts the results into the page. */
export function writeTable(results) {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (after === undefined) throw new Error(`${PAGE} has no place for the table.`)
  writeFileSync(PAGE, [before, BEGIN, `\n\n${tableOf(results)}\n\n`, END, after].join(''))
  execFileSync('npx', ['oxfmt', PAGE], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** A row for each suite, a column for each runtime, and below it why something is not there. */
export function tableOf(results) {
  const { runtimes, rows } = results
  const heads = runtimes.map(({ title, version }) => `${title}<br>${version}`)
  const lines = rows.map(row => [row, ...runtimes.map(runtime => cellOf(runtime.rows.get(row)))])
  const table = [['', ...heads], heads.map(() => '---').concat('---'), ...lines]
  return [
    ...table.map(cells => `| ${cells.join(' | ')} |`),
    '',
    ...reasonsOf(runtimes, ({ lacks }) => Object.entries(lacks).map(lack => lack.join(': '))),
    '',
    'Cases are excused where the following is not promised:',
    '',
    ...reasonsOf(runtimes, ({ excuses }) => [...excuses]),
  ].join('\n')
}

function cellOf(counts) {
  if (!counts) return '–'
  const { passed, failed, excused } = counts
  const more = [failed > 0 && `${failed} failed`, excused > 0 && `${excused} excused`]
  const others = more.filter(Boolean).join(', ')
  return others ? `${passed} (${others})` : `${passed}`
}

/** Each once, with the runtimes that it holds for, unless it holds wherever there are any. */
function reasonsOf(runtimes, read) {
  const having = runtimes.filter(runtime => read(runtime).length > 0)
  const holders = new Map()
  for (const runtime of having) {
    for (const reason of read(runtime)) {
      holders.set(reason, [...(holders.get(reason) ?? []), runtime.title])
    }
  }
  return [...holders].map(([reason, titles]) =>
    titles.length === having.length ? `- ${reason}` : `- ${reason} (${titles.join(', ')})`,
  )
}
