import { DbMoment } from './db-moment'
import type { SqlTerm } from './sql-value'

/**
 * Columns and what to bind to them, in the order of the schema. What statements are told apart and
 * measured by is noted while it is filled, because each run of a statement asks for it.
 */
export class SqlRow implements Iterable<readonly [string, SqlTerm]> {
  readonly #names: string[] = []
  readonly #terms: SqlTerm[] = []
  #moments = ''
  #characters = 0

  get size(): number {
    return this.#names.length
  }

  /** Its columns that are moments; empty for most rows. */
  get moments(): string {
    return this.#moments
  }

  /** How long its texts are together. */
  get characters(): number {
    return this.#characters
  }

  /** Names the next column. */
  add(name: string, term: SqlTerm): this {
    this.#names.push(name)
    this.#terms.push(term)
    if (typeof term === 'string') this.#characters += term.length
    else if (term instanceof DbMoment) this.#moments += `${name}@now,`
    return this
  }

  has(name: string): boolean {
    return this.#names.includes(name)
  }

  get(name: string): SqlTerm | undefined {
    return this.#terms[this.#names.indexOf(name)]
  }

  keys(): readonly string[] {
    return this.#names
  }

  values(): readonly SqlTerm[] {
    return this.#terms
  }

  *[Symbol.iterator](): Iterator<readonly [string, SqlTerm]> {
    for (const [at, name] of this.#names.entries()) yield [name, this.#terms[at]!]
  }
}
