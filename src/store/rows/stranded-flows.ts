import { continuationOf, notesOf, type WfDescriber, type WfState } from '../../state'

/** Paused flows of one workflow and step that this build cannot resume. */
export interface WfStrandedFlows {
  readonly schemaId: string
  readonly stepId?: string | undefined
  readonly count: number
}

/** What became of a check. */
export interface WfPausedReport {
  /** How many flows were looked at: those that can be gone on with. */
  readonly checked: number
  /** The most numerous first. */
  readonly stranded: readonly WfStrandedFlows[]
}

/** Counts the flows that a build cannot go on with. */
export class StrandedFlows {
  readonly #wf: WfDescriber
  readonly #stranded = new Map<string, WfStrandedFlows>()
  #checked = 0

  constructor(wf: WfDescriber) {
    this.#wf = wf
  }

  get checked(): number {
    return this.#checked
  }

  get report(): WfPausedReport {
    const stranded = [...this.#stranded.values()]
    return {
      checked: this.#checked,
      stranded: stranded.toSorted((one, two) => two.count - one.count),
    }
  }

  check(state: WfState): void {
    this.#checked++
    if (canGoOn(state, this.#wf)) return
    const { schemaId } = state
    const { stepId, after = stepId } = notesOf(state)?.position ?? {}
    const key = JSON.stringify([schemaId, after])
    const { count = 0 } = this.#stranded.get(key) ?? {}
    this.#stranded.set(key, { schemaId, stepId: after, count: count + 1 })
  }
}

// A migration that throws strands its flows as surely as one that is not there.
function canGoOn(state: WfState, wf: WfDescriber): boolean {
  // What has not begun needs its workflow alone.
  if (state.indexes.length === 0) return !wf.describe || wf.describe(state.schemaId) !== undefined
  try {
    return continuationOf(state, wf) !== undefined
  } catch {
    return false
  }
}
