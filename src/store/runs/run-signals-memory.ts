import type { Clock, WfRunChange, WfRunSignal, WfRunSignals, WfStoredRun } from '../../state'
import { wholeTime } from '../rows/expiry'
import { isAwaited } from './run-signals'

/** Signals of runs in memory. */
export class RunSignalsMemory implements WfRunSignals {
  readonly #clock: Clock
  /** By the ids of runs. */
  readonly #kept = new Map<string, WfRunSignal[]>()
  readonly #count: (run: WfStoredRun, isDue: boolean) => boolean

  /** @param count raises the number of signals of a run that is as it was read, and says whether it was */
  constructor(clock: Clock, count: (run: WfStoredRun, isDue: boolean) => boolean) {
    this.#clock = clock
    this.#count = count
  }

  async add(
    run: WfStoredRun,
    asked: Pick<WfRunSignal, 'name' | 'payload' | 'sentBy'>,
  ): Promise<WfRunSignal | null> {
    if (!this.#count(run, isAwaited(run, asked.name))) return null
    const { flowId, signalSeq } = run
    const signal = { ...asked, flowId, seq: signalSeq + 1, createdAt: wholeTime(this.#clock) }
    this.#keep(flowId, [signal])
    return signal
  }

  async next(flowId: string, name: string): Promise<WfRunSignal | null> {
    return this.#of(flowId).find(signal => signal.name === name) ?? null
  }

  async kept(flowId: string): Promise<readonly Pick<WfRunSignal, 'seq' | 'name'>[]> {
    return this.#of(flowId)
  }

  async of(flowId: string): Promise<readonly WfRunSignal[]> {
    return this.#of(flowId)
  }

  /** What a commit does to the signals of its run. */
  write(flowId: string, { takenSignal, signals = [] }: WfRunChange): void {
    const left = this.#of(flowId).filter(({ seq }) => seq !== takenSignal)
    this.#kept.set(flowId, left)
    this.#keep(
      flowId,
      signals.map(signal => ({ ...signal, flowId })),
    )
  }

  forget(flowId: string): void {
    this.#kept.delete(flowId)
  }

  #of(flowId: string): readonly WfRunSignal[] {
    return this.#kept.get(flowId) ?? []
  }

  #keep(flowId: string, signals: readonly WfRunSignal[]): void {
    const all = [...this.#of(flowId), ...signals]
    this.#kept.set(
      flowId,
      all.toSorted((one, other) => one.seq - other.seq),
    )
  }
}
