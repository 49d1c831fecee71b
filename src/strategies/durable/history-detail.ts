import {
  type Awaitable,
  holdsSecret,
  isRecord,
  looksSecret,
  whenKnown,
  type WfResult,
  type WfState,
} from '../../state'

/** What stands for a value that must not be read. */
export type Digest = (value: unknown) => string | Promise<string>

/** What an event tells of a context: values by key, and those that are gone. */
export interface ContextChange {
  /** The whole context, where it is no record, or was none. */
  readonly context?: unknown
  readonly changed?: Readonly<Record<string, unknown>> | undefined
  readonly removed?: readonly string[] | undefined
}

/** What the first event of a run tells: all that the later ones change. */
export function wholeOf(
  { indexes, context }: WfState,
  digest: Digest,
): Awaitable<Readonly<Record<string, unknown>>> {
  return whenKnown(withDigests(context, digest), shown => ({ indexes, context: shown }))
}

/** What has changed in a context, with digests for what looks secret. */
export function contextChange(
  former: unknown,
  next: unknown,
  digest: Digest,
): Awaitable<ContextChange> {
  if (!isRecord(next) || !isRecord(former)) {
    if (same(former, next)) return {}
    return whenKnown(withDigests(next, digest), context => ({ context }))
  }
  const keys = Object.keys(next).filter(key => !hasSame(former, next, key))
  const gone = Object.keys(former).filter(key => !Object.hasOwn(next, key))
  const removed = gone.length > 0 && { removed: gone }
  if (keys.length === 0) return { ...removed }
  const changed = Object.fromEntries(keys.map(key => [key, next[key]]))
  return whenKnown(withDigests(changed, digest), shown => ({
    changed: shown as ContextChange['changed'],
    ...removed,
  }))
}

function hasSame(
  former: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  key: string,
): boolean {
  return Object.hasOwn(former, key) && same(former[key], next[key])
}

/** Whether two values of JSON are the same, whatever the order of their keys. */
function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && hasSameItems(one, other)
  }
  return isRecord(one) && isRecord(other) && hasSameKeys(one, other)
}

function hasSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (!same(one[at], other[at])) return false
  return true
}

function hasSameKeys(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  for (const key of keys) if (!hasSame(other, one, key)) return false
  return true
}

/** A value of JSON in which whatever stands under a key that looks secret is replaced by its digest. */
export function withDigests(value: unknown, digest: Digest): Awaitable<unknown> {
  return holdsSecret(value) ? digested(value, digest) : value
}

async function digested(value: unknown, digest: Digest): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(item => withDigests(item, digest)))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(async ([key, part]): Promise<[string, unknown]> => [
    key,
    looksSecret(key) ? { digest: await digest(part) } : await withDigests(part, digest),
  ])
  return Object.fromEntries(await Promise.all(entries))
}

/** What a run came to, as far as that is JSON, with digests for what looks secret. */
export function resultToKeep(
  { data, aborted, reason }: WfResult,
  digest: Digest,
): Awaitable<Record<string, unknown>> {
  const ended = { ...(aborted && { aborted }), ...(reason !== undefined && { reason }) }
  let json: string | undefined
  try {
    json = JSON.stringify(data)
  } catch {
    return { ...ended, isUnkept: true }
  }
  if (json === undefined) return ended
  return whenKnown(withDigests(JSON.parse(json), digest), shown => ({ ...ended, data: shown }))
}
