import { createEventContext, type Logger } from '@wooksjs/event-core'
import type { RunTerm } from '../run'
import { Candidates, keyOf } from './candidates'
import type { DueOutcome, DueSource } from './due-source'

/** How long a step has to end once its signal has fired. */
const LAST_MS = 1000

/** Something that is being done. */
export interface Begun {
  readonly key: string
  /** Never rejects. */
  readonly outcome: Promise<DueOutcome>
}

interface Doing {
  readonly outcome: Promise<DueOutcome>
  readonly cut: AbortController
}

/** What this process does by itself: what is due, whichever source it comes from, and what was started here. */
export class DueWork {
  readonly sources: readonly DueSource[]
  readonly #candidates: Candidates
  readonly #logger: Logger
  readonly #doing = new Map<string, Doing>()
  /** Those of them that were found due: what is started here must not keep from looking. */
  readonly #taken = new Map<string, Promise<DueOutcome>>()
  #isClosed = false
  #isOver = false

  constructor(sources: readonly DueSource[], logger: Logger) {
    this.sources = sources
    this.#candidates = new Candidates(sources)
    this.#logger = logger
  }

  /** What was found due, and is being done. */
  get taken(): ReadonlyMap<string, Promise<DueOutcome>> {
    return this.#taken
  }

  /**
   * Does something here that is waited for when the application stops.
   *
   * @param budgetMs for how long, before it is handed on
   */
  attend(
    key: string,
    budgetMs: number,
    work: (term: RunTerm) => Promise<DueOutcome>,
  ): Promise<DueOutcome> {
    const until = performance.now() + budgetMs
    const cut = new AbortController()
    const isOver = () => this.#isOver || performance.now() >= until
    const term = { isOver, cut }
    const outcome = createEventContext({ logger: this.#logger }, () => work(term))
      .catch((error: unknown): DueOutcome => {
        this.#logger.error('Something that was due could not be done', error)
        return 'failed'
      })
      .finally(() => {
        if (this.#doing.get(key)?.cut === cut) this.#doing.delete(key)
      })
    this.#doing.set(key, { outcome, cut })
    return outcome
  }

  /** Does something that is due. */
  take(source: DueSource, id: string, budgetMs: number): Promise<DueOutcome> {
    const key = keyOf(source, id)
    const going = this.attend(key, budgetMs, term => source.attend(id, term))
    this.#taken.set(key, going)
    return going.finally(() => {
      if (this.#taken.get(key) === going) this.#taken.delete(key)
    })
  }

  /**
   * Begins with what is due, the earliest first, and does not wait for it.
   *
   * @param budgetMs for each
   * @param tried is left alone, and told of what is begun
   */
  async takeDue(
    limit: number,
    budgetMs: number,
    tried = new Set<string>(),
  ): Promise<readonly Begun[]> {
    if (limit <= 0 || this.#isClosed) return []
    const isLeftOut = (key: string) => tried.has(key) || this.#doing.has(key)
    const leftOut = tried.size + this.#doing.size
    const found = await this.#candidates.take(limit, isLeftOut, leftOut)
    if (this.#isClosed) return []
    return found.map(({ source, id, key }) => {
      tried.add(key)
      const outcome = this.take(source, id, budgetMs)
      void outcome.then(became => this.#candidates.tell(became === 'taken'))
      return { key, outcome }
    })
  }

  /**
   * Begins nothing more, and waits for what is being done. What is not done by then is handed on behind the
   * step at which it is, whose signal fires.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isClosed = true
    if (await this.#isIdleWithin(graceMs)) return
    this.#isOver = true
    for (const { cut } of this.#doing.values()) cut.abort(new Error('This process ends.'))
    await this.#isIdleWithin(LAST_MS)
  }

  async #isIdleWithin(ms: number): Promise<boolean> {
    const ends = [...this.#doing.values()].map(({ outcome }) => outcome)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const idle = Promise.allSettled(ends).then(() => true)
    return Promise.race([idle, late]).finally(() => clearTimeout(timer))
  }
}
