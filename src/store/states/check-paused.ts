import type { WfDescriber } from '../../state'
import { checkCount } from '../rows/check-count'
import { isExpired, wholeTime } from '../rows/expiry'
import type { WfFilter } from '../rows/row-query'
import { scanRows } from '../rows/scan-rows'
import { StrandedFlows, type WfPausedReport } from '../rows/stranded-flows'
import type { StateRows } from './state-rows'

/** Which rows to check, and how. */
export interface WfCheckPausedOptions<Row extends object = object> {
  /**
   * Only these rows.
   *
   * @default all
   */
  readonly filter?: WfFilter<Row> | undefined
  /**
   * Rows that are read at once, at most 1,000.
   *
   * @default 500
   */
  readonly batchSize?: number | undefined
  /** Called after each batch. */
  readonly onProgress?: ((progress: { readonly checked: number }) => void) | undefined
}

const DEFAULT_BATCH = 500
const MAX_BATCH = 1000

/** Counts the rows that can be resumed, but that `wf` cannot go on with. */
export async function checkPausedRows(
  { rows, hooks, options }: StateRows,
  wf: WfDescriber,
  { filter = {}, batchSize = DEFAULT_BATCH, onProgress }: WfCheckPausedOptions,
): Promise<WfPausedReport> {
  checkCount('batchSize', batchSize, MAX_BATCH)
  const flows = new StrandedFlows(wf)
  const now = wholeTime(options.clock)
  for await (const page of scanRows(rows, { filter, batchSize, after: undefined })) {
    for (const row of page.rows) {
      if (!isExpired(row, now)) flows.check(hooks.assembleResult(row).state)
    }
    onProgress?.({ checked: flows.checked })
  }
  return flows.report
}
