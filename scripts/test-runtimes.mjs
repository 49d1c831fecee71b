// Runs the conformance suites on every runtime: see `npm run test:runtimes -- --help`.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { openPostgres } from './runtimes/postgres.mjs'
import { Results } from './runtimes/results.mjs'
import { runAll } from './runtimes/run-all.mjs'
import { RUNTIMES } from './runtimes/runtimes.mjs'
import { SUITES } from './runtimes/suites.mjs'
import { writeTable } from './runtimes/write-table.mjs'

const namesOf = list => list.map(({ name }) => name).join(', ')

const HELP = `Runs the conformance suites on other runtimes, real ones, which npm fetches.

  npm run test:runtimes                                  everything
  npm run test:runtimes -- --runtime node-26,workerd     on these only
  npm run test:runtimes -- --suite tables,ledgers        these suites only
  npm run test:runtimes -- --write                       and writes the table of docs/runtimes.md

Runtimes: ${namesOf(RUNTIMES)}
Suites:   ${namesOf(SUITES)}

PostgreSQL is the server at WF_TEST_POSTGRES_URL, or one that is started. It ends with 1 if any case has
failed, or a runtime could not be had.`

const options = {
  help: { type: 'boolean', short: 'h' },
  runtime: { type: 'string', multiple: true },
  suite: { type: 'string', multiple: true },
  write: { type: 'boolean' },
}

try {
  const { values } = parseArgs({ options })
  if (values.help) console.log(HELP)
  else process.exitCode = await main(values)
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}

async function main({ runtime, suite, write }) {
  const runtimes = chosen('runtime', RUNTIMES, runtime)
  const suites = chosen('suite', SUITES, suite)
  if (write && (runtime || suite)) throw new Error('--write needs the results of everything.')
  // The example of the README imports what is published.
  if (suites.some(({ name }) => name === 'example')) build()
  const results = new Results()
  const postgres = await openPostgres()
  try {
    const { url: postgresUrl, sharedUrl } = postgres
    await runAll(runtimes, suites, { postgresUrl, sharedUrl, mysqlUrl: null }, results)
  } finally {
    await postgres.close()
  }
  console.log(['', ...results.summary()].join('\n'))
  if (results.hasFailed) return 1
  if (write) await writeTable(results)
  return 0
}

function build() {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

function chosen(what, all, given) {
  if (!given) return all
  const names = given.flatMap(text => text.split(','))
  const unknown = names.find(name => !all.some(one => one.name === name))
  if (unknown !== undefined) {
    throw new Error(`There is no ${what} "${unknown}". There are: ${namesOf(all)}.`)
  }
  return all.filter(({ name }) => names.includes(name))
}
