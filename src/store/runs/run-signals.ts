import { WfError } from '../../errors'
import type { WfRunChange, WfRunSignal, WfRunSignals, WfStoredRun } from '../../state'
import { wholeTime } from '../rows/expiry'
import type { WfTable } from '../rows/wf-table'
import type { ResolvedRunStoreOptions } from './as-wf-run-store-options'
import { canBeKey, isInScope } from './find-runs'
import type { Row } from './run-row'
import type { RunTables } from './run-tables'

/** The parts of a commit that are about signals: the one that is taken, or those that are put back. */
export function signalWrites(
  { signals: table }: Pick<ResolvedRunStoreOptions, 'signals'>,
  flowId: string,
  { takenSignal, signals = [] }: WfRunChange,
): object[] {
  if (takenSignal === undefined && signals.length === 0) return []
  if (!table) throw noSignals()
  return takenSignal === undefined
    ? [{ insert: table.type, rows: signals.map(signal => rowOf(flowId, signal)) }]
    : [{ delete: table.type, filter: { flowId, seq: takenSignal } }]
}

export function noSignals(): WfError {
  return new WfError('WF_CONFIG', 'These runs keep no signals: there is no table for them.')
}

/** Whether a run waits for a signal of this name. */
export function isAwaited({ status, waitsFor }: WfStoredRun, name: string): boolean {
  return status === 'paused' && waitsFor === name
}

/** Whether a run is left to wait for a signal, which may have come meanwhile. */
export function mayMissSignal({ status, waitsFor }: WfStoredRun): boolean {
  return status === 'paused' && waitsFor !== undefined
}

/** Signals in a table of their own. */
export class RunSignals implements WfRunSignals {
  readonly #tables: RunTables
  readonly #signals: WfTable

  constructor(tables: RunTables, signals: WfTable) {
    this.#tables = tables
    this.#signals = signals
  }

  async add(
    run: WfStoredRun,
    asked: Pick<WfRunSignal, 'name' | 'payload' | 'sentBy'>,
  ): Promise<WfRunSignal | null> {
    const { space, runs, clock } = this.#tables.options
    const { flowId, version, signalSeq } = run
    const seq = signalSeq + 1
    const signal = { ...asked, flowId, seq, createdAt: wholeTime(clock) }
    const due = isAwaited(run, asked.name) ? { dueAt: space.now() } : {}
    const { held } = await space.commit({
      write: {
        update: runs.type,
        filter: { flowId, version, signalSeq },
        patch: { signalSeq: seq, ...due },
      },
      with: [{ insert: this.#signals.type, rows: [rowOf(flowId, signal)] }],
    })
    return held ? signal : null
  }

  async next(flowId: string, name: string): Promise<WfRunSignal | null> {
    const [first] = await this.#find({ flowId, name }, 1)
    return first ?? null
  }

  async kept(flowId: string): Promise<readonly Pick<WfRunSignal, 'seq' | 'name'>[]> {
    if (!canBeKey(flowId)) return []
    const controls = { $select: ['seq', 'name'] }
    const rows = await this.#signals.findMany({ filter: { flowId }, controls })
    return rows as Pick<WfRunSignal, 'seq' | 'name'>[]
  }

  async of(flowId: string): Promise<readonly WfRunSignal[]> {
    return (await isInScope(this.#tables, flowId)) ? this.#find({ flowId }) : []
  }

  async #find(filter: object, $limit?: number): Promise<readonly WfRunSignal[]> {
    const controls = { $sort: { seq: 1 }, ...($limit && { $limit }) } as const
    const rows = await this.#signals.findMany({ filter, controls })
    return rows.map(row => signalOf(row as Row))
  }
}

function rowOf(flowId: string, { sentBy, ...signal }: Omit<WfRunSignal, 'flowId'>) {
  return { ...signal, flowId, sentBy: sentBy ?? null }
}

function signalOf({ id: _id, commitId: _commit, sentBy, ...row }: Row): WfRunSignal {
  const signal = row as unknown as WfRunSignal
  return sentBy === null ? signal : { ...signal, sentBy: sentBy as string }
}
