import { it } from 'vitest'

type Lacks = Readonly<Record<string, string | undefined>>
type DefineCase = (title: string, test: () => Promise<void>) => void

/**
 * Defines the cases of a suite that an entry of its `lacks` excuses: skipped with the reason that was
 * given, or else failing with a line that names the entry.
 */
export function casesUnless<L extends { [K in keyof L]?: string | undefined }>(
  suite: string,
  lacks: L,
): (...entries: (keyof L & string)[]) => DefineCase {
  return (...entries) => {
    const reason = entries.map(entry => (lacks as Lacks)[entry]).find(Boolean)
    return (title, test) =>
      reason === undefined
        ? it(title, () => test().catch(error => throwWithExcuse(error, suite, entries)))
        : it.skip(`${title} (skipped: ${reason})`, test)
  }
}

function throwWithExcuse(error: unknown, suite: string, entries: readonly string[]): never {
  const failure = error instanceof Error ? error : new Error(String(error))
  const ways = entries.map(entry => `{ ${entry}: 'why' }`).join(' or ')
  failure.message += `\n\nIf this is not promised here, say so: ${suite}({ …, lacks: ${ways} }).`
  throw failure
}
