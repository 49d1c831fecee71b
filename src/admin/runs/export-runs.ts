import { AdminDownload } from '../admin-download'
import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { hideTokens, hideTokenShapes } from '../hide-tokens'
import { readParams } from '../read-params'
import { eachRun } from './each-run'
import type { WfAdminRun } from './run-answers'
import { runColumns } from './run-columns'
import { readSelection, type RunSelection, SELECTION } from './run-selection'
import { runsWithColumns } from './runs-of'
import { csvLine } from './to-csv'
import { toAdminRun } from './to-admin-run'

/** Runs in one file. */
const MOST_RUNS = 50_000

/** What each run tells, in the order of a file. */
const FIELDS = [
  'flowId',
  'schemaId',
  'state',
  'status',
  'stepId',
  'attempts',
  'startedAt',
  'startedBy',
  'updatedAt',
  'completedAt',
  'expiresAt',
  'correlationId',
] as const satisfies readonly (keyof WfAdminRun)[]

/** What is listed, as a file: CSV, or JSON. */
export async function exportRuns(admin: Admin): Promise<AdminDownload> {
  const params = readParams([...SELECTION, 'format', 'columns'])
  const format = params.choice('format', ['csv', 'json'], 'csv')
  const selection = readSelection(admin, params)
  const columns = chosenColumns(params.text('columns'), admin)
  const matching = await runsWithColumns(admin).count(selection.filter)
  if (matching > MOST_RUNS) {
    throw badRequest(`A file has at most ${MOST_RUNS} runs. Narrow it down.`)
  }
  const rows = shownRuns(admin, selection)
  return format === 'csv'
    ? new AdminDownload('text/csv; charset=utf-8', 'runs.csv', toCsv(rows, columns))
    : new AdminDownload('application/json; charset=utf-8', 'runs.json', toJson(rows, columns))
}

/** Shadow columns by their names; all of them if none are named. */
function chosenColumns(text: string | undefined, admin: Admin): readonly string[] {
  const names = runColumns(admin).flatMap(({ name, path }) => (path ? [name] : []))
  if (text === undefined) return names
  const asked = text.split(',', names.length + 1)
  if (asked.every(name => names.includes(name))) return [...new Set(asked)]
  throw badRequest('"columns" are names of columns of the context, with commas between them.')
}

async function* shownRuns(admin: Admin, selection: RunSelection): AsyncGenerator<WfAdminRun[]> {
  const columns = runColumns(admin)
  let left = MOST_RUNS
  for await (const { runs } of eachRun(admin, selection)) {
    const now = timeOf(admin.store)
    const shown = runs.slice(0, left).map(run => toAdminRun(run, columns, now))
    left -= shown.length
    const hidden = await hideTokens(shown, texts => admin.store.handlesAmong(texts))
    yield hideTokenShapes(hidden) as WfAdminRun[]
    if (left === 0) return
  }
}

const cellsOf = (run: WfAdminRun, columns: readonly string[]) => [
  ...FIELDS.map(field => run[field]),
  ...columns.map(name => run.values[name]),
]

/** With the mark by which spreadsheets know that it is UTF-8. */
async function* toCsv(rows: AsyncIterable<readonly WfAdminRun[]>, columns: readonly string[]) {
  yield `\uFEFF${csvLine([...FIELDS, ...columns])}`
  for await (const runs of rows) {
    const text = runs.map(run => csvLine(cellsOf(run, columns))).join('')
    if (text) yield text
  }
}

async function* toJson(rows: AsyncIterable<readonly WfAdminRun[]>, columns: readonly string[]) {
  const names = [...FIELDS, ...columns]
  let before = '[\n'
  for await (const runs of rows) {
    for (const run of runs) {
      const cells = cellsOf(run, columns)
      const entries = names.map((name, at) => [name, cells[at] ?? null])
      yield `${before}${JSON.stringify(Object.fromEntries(entries))}`
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
