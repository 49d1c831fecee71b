import { sha256 } from '../../state'

/** What no key of yours begins with, unless it is doubled. */
const MARK = '~'
const DIGEST_LENGTH = 22
const SCOPED = new RegExp(`^${MARK}[\\w-]{${DIGEST_LENGTH}}${MARK}`, 'u')

/**
 * A key as it is stored: one unique index serves all tenants, so that each has keys of its own.
 *
 * @param scope the columns that keep tenants apart
 */
export async function keyInScope(
  scope: Readonly<Record<string, unknown>>,
  runKey: string,
): Promise<string> {
  const columns = Object.keys(scope).toSorted()
  if (columns.length === 0) return runKey.startsWith(MARK) ? MARK + MARK + runKey : runKey
  const digest = await sha256(JSON.stringify(columns.map(column => [column, scope[column]])))
  return MARK + digest.slice(0, DIGEST_LENGTH) + MARK + runKey
}

/** The key as whoever has chosen it knows it. */
export function keyWithoutScope(stored: string): string {
  if (stored.startsWith(MARK + MARK)) return stored.slice(2)
  return stored.replace(SCOPED, '')
}
