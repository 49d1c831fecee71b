const LONGEST = 80

/** A value as it can stand in the title of a test, however long it is. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST)}… (${text.length} characters)`
}

/** Cases for `it.each`, each with its title in front. */
export function titled<V>(values: readonly V[]): [string, V][] {
  return values.map(value => [shown(value), value])
}
