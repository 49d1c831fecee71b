import type { WfDescriber } from '../../state'
import { checkCount } from '../rows/check-count'
import { scanRows } from '../rows/scan-rows'
import { StrandedFlows, type WfPausedReport } from '../rows/stranded-flows'
import type { WfCheckPausedOptions } from '../states/check-paused'
import { type Row, runOf } from './run-row'
import type { RunTables } from './run-tables'

const DEFAULT_BATCH = 500
const MAX_BATCH = 1000

/** One that has failed may be tried again. */
const OPEN = { status: { $in: ['created', 'active', 'paused', 'error', 'failed'] } }

/** Counts the runs that have not ended for good, and that `wf` cannot go on with. */
export async function checkRuns(
  { rows }: RunTables,
  wf: WfDescriber,
  { filter: asked = {}, batchSize = DEFAULT_BATCH, onProgress }: WfCheckPausedOptions,
): Promise<WfPausedReport> {
  checkCount('batchSize', batchSize, MAX_BATCH)
  const flows = new StrandedFlows(wf)
  const filter = { $and: [OPEN, asked] }
  for await (const page of scanRows(rows, { filter, batchSize, after: undefined })) {
    for (const row of page.rows) flows.check(runOf(row as Row).state)
    onProgress?.({ checked: flows.checked })
  }
  return flows.report
}
