import { WfError } from '../../errors'
import type { WfHeldRun, WfOpenTransaction, WfRunStore } from '../../state'
import type { RunLoss } from './run-loss'

/** The transaction of a step: from its first use to the commit of its run, or to nothing. */
export class StepTransaction {
  readonly #runs: WfRunStore
  readonly #losing: Pick<RunLoss, 'signal'>
  #opening: Promise<WfOpenTransaction> | undefined

  /** @param losing its signal fires when what the step does comes to nothing: the connection is given back then */
  constructor(runs: WfRunStore, losing: Pick<RunLoss, 'signal'>) {
    this.#runs = runs
    this.#losing = losing
  }

  get isOpen(): boolean {
    return this.#opening !== undefined
  }

  /**
   * Opens it, or gives the one that is open.
   *
   * @param space refuses another database
   * @throws WfError `WF_CONFIG`; why the run is lost
   */
  async use(space: object | undefined): Promise<object> {
    this.#losing.signal.throwIfAborted()
    const opening = (this.#opening ??= this.#open())
    // What could not be opened has nothing to commit, also where the step goes on without it.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    const open = await opening
    if (space === undefined || open.space === space) return open.transaction
    throw new WfError(
      'WF_CONFIG',
      'The runs are in another database than this space: only what is in theirs can be committed with them.',
    )
  }

  /**
   * Writes a run within it, and keeps all that was done in it.
   *
   * @param write gives `null` if another has the run: then nothing is kept
   * @param before what must succeed when all is written and nothing is kept yet
   */
  async commit(
    write: (runs: WfRunStore) => Promise<WfHeldRun | null>,
    before?: () => Promise<void>,
  ): Promise<WfHeldRun | null> {
    const open = await this.#opening!
    let held: WfHeldRun | null
    try {
      held = await write(open.runs)
      if (held) await before?.()
    } catch (error) {
      await this.rollBack()
      throw error
    }
    if (!held) {
      await this.rollBack()
      return null
    }
    this.#opening = undefined
    await open.commit(held)
    return held
  }

  /** Keeps nothing of it. */
  async rollBack(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const open = await opening?.catch(() => undefined)
    await open?.rollBack()
  }

  async #open(): Promise<WfOpenTransaction> {
    if (!this.#runs.openTransaction) throw noTransactions()
    const open = await this.#runs.openTransaction()
    // Lost while it was opened: whoever has asked uses it in vain.
    const { signal } = this.#losing
    if (signal.aborted) await open.rollBack()
    signal.addEventListener('abort', () => void this.rollBack(), { once: true })
    return open
  }
}

function noTransactions(): WfError {
  return new WfError(
    'WF_CONFIG',
    'useWfTransaction() needs runs in a database with transactions: these are in a store that has none.',
  )
}
