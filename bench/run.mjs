import { parseArgs } from 'node:util'
import * as httpResume from './http/resume.bench.mjs'
import * as durableRuns from './runs/runs.bench.mjs'
import * as storeCycles from './store/cycle.bench.mjs'
import * as storeAtScale from './store/scale.bench.mjs'
import * as tableCommits from './tables/commits.bench.mjs'
import * as tableCycles from './tables/cycles.bench.mjs'
import * as tokenRoundTrip from './tokens/round-trip.bench.mjs'
import * as tokensUnderHashing from './tokens/under-hashing.bench.mjs'

const scenarios = {
  http: httpResume,
  tokens: tokenRoundTrip,
  hashing: tokensUnderHashing,
  tables: tableCycles,
  commits: tableCommits,
  store: storeCycles,
  scale: storeAtScale,
  runs: durableRuns,
}

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' }, profiles: { type: 'string' }, part: { type: 'string' } },
  allowPositionals: true,
})
const [only] = positionals
if (values.help || (only && !scenarios[only])) {
  console.log(
    `Usage: npm run bench -- [${Object.keys(scenarios).join(' | ')}] [--profiles <folder>]`,
  )
  process.exit(values.help ? 0 : 1)
}

let missed = 0
for (const [name, { title, run }] of Object.entries(scenarios)) {
  if (only && name !== only) continue
  console.log(`\n${title}`)
  const { rows, figures } = await run(values)
  console.table(rows)
  for (const { figure, value, atLeast, atMost, notMeasured } of figures) {
    if (notMeasured !== undefined) {
      console.log(`${figure}: not measured (${notMeasured})`)
      continue
    }
    const limit = atLeast === undefined ? atMost : atLeast
    const ok = atLeast === undefined ? atMost === undefined || value <= atMost : value >= atLeast
    if (!ok) missed++
    const verdict =
      limit === undefined
        ? ''
        : `, limit ${atLeast === undefined ? 'at most' : 'at least'} ${limit}: ${ok ? 'met' : 'MISSED'}`
    console.log(`${figure}: ${value.toFixed(2)}${verdict}`)
  }
}
process.exitCode = missed > 0 ? 1 : 0
