/** Prepared statements stay with their connection, on the server too, so their number is bounded. */
const MOST = 200

/** The statements that are worth keeping prepared: the first ones that came. */
export class KeptTexts {
  readonly #texts = new Set<string>()

  add(sql: string): void {
    if (this.#texts.size < MOST) this.#texts.add(sql)
  }

  has(sql: string): boolean {
    return this.#texts.has(sql)
  }
}
