import { isRecord, isStorableText, looksSecret } from '../../state'

/** What the history tells of an error. */
export interface ErrorNote {
  /** Its name, and its code if it has one: `Error [ECONNREFUSED]`. */
  readonly name: string
  readonly message?: string | undefined
}

/** What the history tells of a failure: the error, and by what it was brought about, the nearest first. */
export interface FailureNote {
  readonly error: ErrorNote
  readonly causes?: readonly ErrorNote[] | undefined
}

const MOST_CAUSES = 5
const LONGEST_NAME = 80
const LONGEST_MESSAGE = 500
/** Shorter ones stand in too many words. */
const SHORTEST_SECRET = 4
const REDACTED = '•••'
const ERROR_CODE = /^[A-Z][A-Z0-9_]{1,40}$/u

/**
 * Describes what was thrown, and its causes.
 *
 * @param around what may hold secrets that a message quotes; without it no messages are told
 */
export function describeFailure(error: unknown, around: unknown): FailureNote {
  const secrets = around === undefined ? undefined : secretsIn(around)
  const chain: ErrorNote[] = []
  // Errors may be the causes of one another.
  for (let one = error; one !== undefined && chain.length <= MOST_CAUSES; one = causeOf(one)) {
    chain.push(noteOf(one, secrets))
  }
  const [first = { name: 'undefined' }, ...causes] = chain
  return { error: first, ...(causes.length > 0 && { causes }) }
}

function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return error.cause ?? first
}

function noteOf(error: unknown, secrets: readonly string[] | undefined): ErrorNote {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code } = error as { code?: unknown }
  const name = storable(cut(String(error.name), LONGEST_NAME)) || 'Error'
  const coded = typeof code === 'string' && ERROR_CODE.test(code) ? `${name} [${code}]` : name
  const message = secrets && storable(withoutSecrets(String(error.message), secrets))
  return { name: coded, ...(message && { message }) }
}

function withoutSecrets(message: string, secrets: readonly string[]): string {
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), message)
  return told.length > LONGEST_MESSAGE ? `${cut(told, LONGEST_MESSAGE)}…` : told
}

const storable = (text: string): string | undefined => (isStorableText(text) ? text : undefined)

/** Half of a character may stand where a text is cut. */
const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, '')

/** What stands under keys that look secret, the longest first: one may be a part of another. */
function secretsIn(value: unknown, isSecret = false, found = new Set<string>()): readonly string[] {
  if (Array.isArray(value)) for (const item of value) secretsIn(item, isSecret, found)
  else if (isRecord(value)) {
    for (const [key, part] of Object.entries(value)) {
      secretsIn(part, isSecret || looksSecret(key), found)
    }
  } else if (isSecret && (typeof value === 'string' || typeof value === 'number')) {
    if (String(value).length >= SHORTEST_SECRET) found.add(String(value))
  }
  return [...found].toSorted((one, other) => other.length - one.length)
}
