type JsonRecord = Readonly<Record<string, unknown>>

/** A JSON value if things can be looked up in it, else an empty object. */
export const recordOf = (value: unknown): JsonRecord =>
  typeof value === 'object' && value ? (value as JsonRecord) : {}

/** A JSON value as a list: one that is no list is the only item of one. */
export const listOf = (value: unknown): readonly unknown[] => [value ?? []].flat()

/** A JSON value if it is a text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
