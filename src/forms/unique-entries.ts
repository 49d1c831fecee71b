import type { TAtscriptTypeArray } from '@atscript/typescript/utils'
import { isRecord } from '../state'
import type { Effort } from './effort'
import { sectionOf } from './form-section'

const STEPS_PER_OBJECT = 50

/**
 * Gives equal values the same name, whatever the order of their keys is. Each object is looked at
 * once, and named by the names of its parts, so that lists within lists stay cheap.
 */
export class Identities {
  readonly #effort: Effort
  readonly #names = new Map<string, string>()
  readonly #known = new Map<object, string>()

  constructor(effort: Effort) {
    this.#effort = effort
  }

  of(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(value)
    // No two kinds of value look alike: 0 and -0 do, and are the same in JSON.
    if (typeof value !== 'object' || value === null) return String(value)
    const name = this.#known.get(value) ?? this.#nameOf(this.#outline(value))
    this.#known.set(value, name)
    return name
  }

  #outline(value: object): string {
    this.#effort.spend(STEPS_PER_OBJECT)
    if (Array.isArray(value)) return `[${value.map(item => this.of(item)).join()}]`
    const record = value as Record<string, unknown>
    let outline = '{'
    for (const key of Object.keys(value).toSorted()) {
      outline += `${JSON.stringify(key)}:${this.of(record[key])},`
    }
    return outline
  }

  #nameOf(outline: string): string {
    const name = this.#names.get(outline) ?? `#${this.#names.size}`
    this.#names.set(outline, name)
    return name
  }
}

/** The first entry that is there twice. Entries with `@expect.array.key` are told apart by those. */
export function findTwin(
  { of: { type } }: TAtscriptTypeArray,
  list: readonly unknown[],
  identities: Identities,
): number | undefined {
  const fields = type.kind === 'object' ? sectionOf(type).fields : []
  const keys = fields.filter(([, { metadata }]) => metadata.get('expect.array.key'))
  const seen = new Set<string>()
  for (const [index, entry] of list.entries()) {
    const told =
      keys.length > 0 && isRecord(entry) ? keys.map(([key]) => entry[key] ?? null) : entry
    const identity = identities.of(told)
    if (seen.has(identity)) return index
    seen.add(identity)
  }
}
