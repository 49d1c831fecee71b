import type { DueItem, DueSource } from './due-source'

/** Something that is due, and whose it is. */
export interface Candidate extends DueItem {
  readonly source: DueSource
  /** Unique among the items of all sources. */
  readonly key: string
}

/** Others may have begun with what was found longer ago. */
const FRESH_MS = 1000
/** What one look is good for, so that not each item costs one. */
const AT_LEAST = 20
/** Among how many times as many rows as are needed workers pick that get in each other's way. */
const WIDEST = 64

/**
 * What was found due and is not begun, the earliest first. Where others are faster again and again, they look
 * at the same rows: then it picks at random among ever more of them.
 */
export class Candidates {
  readonly #sources: readonly DueSource[]
  #found: Candidate[] = []
  #foundAt = 0
  #width = 1
  #taken = 0
  #lost = 0

  constructor(sources: readonly DueSource[]) {
    this.#sources = sources
  }

  /**
   * Looks only when nothing is left of the last look.
   *
   * @param isLeftOut what was begun or tried already
   * @param leftOut how much that may be
   */
  async take(
    limit: number,
    isLeftOut: (key: string) => boolean,
    leftOut: number,
  ): Promise<readonly Candidate[]> {
    const known = this.#pick(limit, isLeftOut)
    if (known.length > 0) return known
    await this.#look(Math.max(limit, AT_LEAST), leftOut)
    return this.#pick(limit, isLeftOut)
  }

  /** Tells how it went: whether another had been faster. */
  tell(isLost: boolean): void {
    this.#taken++
    if (isLost) this.#lost++
  }

  #pick(limit: number, isLeftOut: (key: string) => boolean): readonly Candidate[] {
    if (performance.now() - this.#foundAt > FRESH_MS) this.#found = []
    const picked: Candidate[] = []
    while (picked.length < limit && this.#found.length > 0) {
      const candidate = this.#found.shift()!
      if (!isLeftOut(candidate.key)) picked.push(candidate)
    }
    return picked
  }

  async #look(wanted: number, leftOut: number): Promise<void> {
    this.#adapt()
    const limit = wanted * this.#width + leftOut
    const found = await Promise.all(this.#sources.map(source => dueOf(source, limit)))
    const all = found.flat().toSorted((one, other) => one.dueAt - other.dueAt)
    this.#found = this.#width === 1 ? all : shuffled(all.slice(0, limit)).slice(0, wanted)
    this.#foundAt = performance.now()
  }

  #adapt(): void {
    const isCrowded = this.#lost * 8 > this.#taken
    if (isCrowded) this.#width = Math.min(this.#width * 8, WIDEST)
    else if (this.#lost === 0) this.#width = Math.max(this.#width / 2, 1)
    this.#taken = 0
    this.#lost = 0
  }
}

async function dueOf(source: DueSource, limit: number): Promise<readonly Candidate[]> {
  const items = await source.due(limit)
  return items.map(item => ({ ...item, source, key: keyOf(source, item.id) }))
}

export function keyOf({ kind }: Pick<DueSource, 'kind'>, id: string): string {
  return `${kind} ${id}`
}

function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!]
  }
  return mixed
}
