/** One `@expect.pattern`. */
export interface Pattern {
  readonly pattern: string
  readonly flags?: string
  readonly message?: string
}

const compiled = new Map<string, RegExp>()

export function matches(text: string, { pattern, flags = '' }: Pattern): boolean {
  // With these flags a RegExp remembers where it stopped, and every second answer is wrong.
  const stateless = flags.replaceAll(/[gy]/gu, '')
  const key = `${stateless}/${pattern}`
  const regexp = compiled.get(key) ?? new RegExp(pattern, stateless)
  compiled.set(key, regexp)
  return regexp.test(text)
}
