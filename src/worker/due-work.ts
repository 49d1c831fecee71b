import { createEventContext, type Logger } from '@wooksjs/event-core'
import type { DueItem, DueOutcome, DueSource } from './due-source'

/** What becomes of an item, where it is told which source it is of. */
interface Found extends DueItem {
  readonly source: DueSource
}

/** What this process does by itself: what is due, whichever source it comes from, and what was started here. */
export class DueWork {
  readonly #sources: readonly DueSource[]
  readonly #logger: Logger
  readonly #busy = new Map<string, Promise<DueOutcome>>()
  /** Those of them that were found due: what is started here must not keep from looking. */
  readonly #taken = new Map<string, Promise<DueOutcome>>()
  #isStopped = false

  constructor(sources: readonly DueSource[], logger: Logger) {
    this.#sources = sources
    this.#logger = logger
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** What was found due, and is being done. */
  get taken(): ReadonlyMap<string, Promise<DueOutcome>> {
    return this.#taken
  }

  /** Does something here that is waited for when the application stops. */
  attend(key: string, work: () => Promise<DueOutcome>): Promise<DueOutcome> {
    const going = createEventContext({ logger: this.#logger }, work).finally(() => {
      if (this.#busy.get(key) === going) this.#busy.delete(key)
    })
    this.#busy.set(key, going)
    return going
  }

  /** Does something that is due. */
  take(source: DueSource, id: string): Promise<DueOutcome> {
    const key = keyOf(source, id)
    const going = this.attend(key, () => source.attend(id))
    this.#taken.set(key, going)
    return going.finally(() => {
      if (this.#taken.get(key) === going) this.#taken.delete(key)
    })
  }

  /**
   * Begins with what is due, the earliest first, and does not wait for it.
   *
   * @param seen is left alone, and told of what is taken
   */
  async takeDue(limit: number, seen = new Set<string>()): Promise<readonly Promise<DueOutcome>[]> {
    if (limit <= 0 || this.#isStopped) return []
    const found = await Promise.all(
      this.#sources.map(source => this.#look(source, limit + seen.size + this.#busy.size)),
    )
    if (this.#isStopped) return []
    const mine = found
      .flat()
      .filter(
        item =>
          !seen.has(keyOf(item.source, item.id)) && !this.#busy.has(keyOf(item.source, item.id)),
      )
      .toSorted((one, other) => one.dueAt - other.dueAt)
    return mine.slice(0, limit).map(({ source, id }) => {
      seen.add(keyOf(source, id))
      return this.take(source, id)
    })
  }

  /** Takes nothing more, and waits for what is being done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.allSettled(this.#busy.values())
  }

  /** @returns nothing from a source that cannot look now: it must not keep the others */
  async #look(source: DueSource, limit: number): Promise<readonly Found[]> {
    const items = await source.due(limit)
    return items.map(item => ({ ...item, source }))
  }
}

/** Ids are unique among the items of a source. */
export function keyOf({ kind }: Pick<DueSource, 'kind'>, id: string): string {
  return `${kind} ${id}`
}
