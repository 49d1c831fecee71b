import { continuationOf, notesOf, type WfDescriber, type WfState } from '../../state'
import { checkCount } from '../rows/check-count'
import { isExpired, wholeTime } from '../rows/expiry'
import type { WfFilter } from '../rows/row-query'
import { scanRows } from '../rows/scan-rows'
import type { StateRows } from './state-rows'

/** Paused flows of one workflow and step that this build cannot resume. */
export interface WfStrandedFlows {
  readonly schemaId: string
  readonly stepId?: string | undefined
  readonly count: number
}

/** What became of a check. */
export interface WfPausedReport {
  /** How many flows were looked at: those that have not expired. */
  readonly checked: number
  /** The most numerous first. */
  readonly stranded: readonly WfStrandedFlows[]
}

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
  const stranded = new Map<string, WfStrandedFlows>()
  const now = wholeTime(options.clock)
  let checked = 0
  for await (const page of scanRows(rows, { filter, batchSize, after: undefined })) {
    for (const row of page.rows) {
      if (isExpired(row, now)) continue
      const { state } = hooks.assembleResult(row)
      checked++
      if (!canGoOn(state, wf)) count(stranded, state)
    }
    onProgress?.({ checked })
  }
  return { checked, stranded: [...stranded.values()].toSorted((one, two) => two.count - one.count) }
}

// A migration that throws strands its flows as surely as one that is not there.
function canGoOn(state: WfState, wf: WfDescriber): boolean {
  try {
    return continuationOf(state, wf) !== undefined
  } catch {
    return false
  }
}

function count(stranded: Map<string, WfStrandedFlows>, state: WfState): void {
  const { schemaId } = state
  const stepId = notesOf(state)?.position?.stepId
  const key = JSON.stringify([schemaId, stepId])
  stranded.set(key, { schemaId, stepId, count: (stranded.get(key)?.count ?? 0) + 1 })
}
