import { isRecord, type WfLedger } from '../state'
import { boxAddressOf, openBox, sealFor } from './code-box'
import { readCode } from './link-code'
import type { WatchToken } from './watch-token'

const CODE = 'code'
const TRIES = 'code-tries'
/** Of 40 bits: nobody guesses it. People mistype more than once. */
export const MOST_TRIES = 5

/** What is kept of a code, under the hash of what its flow is watched by. Neither is in it. */
export interface CodeNote {
  /** Where a token can be closed up for it. */
  readonly address: string
  /** The link's token. */
  readonly sealed: string
  /** A hash of what the browser must know in which the flow was started. */
  readonly browser: string
}

/** A code, where it may be typed, and what it is for. */
export interface CodeToKeep {
  readonly watch: WatchToken
  readonly code: string
  readonly token: string
  readonly browser: string
}

export function noteCode(
  ledger: WfLedger,
  { watch, code, token, browser }: CodeToKeep,
  until: number,
): Promise<void> {
  const address = boxAddressOf(watch.text)
  return close(ledger, watch.hash, { address, browser }, code, token, until)
}

/** Notes another code, of a link that takes the place of the former one. Its tries begin anew. */
export async function replaceCode(
  ledger: WfLedger,
  hash: string,
  former: CodeNote,
  { code, token }: Pick<CodeToKeep, 'code' | 'token'>,
  until: number,
): Promise<void> {
  await close(ledger, hash, former, code, token, until)
  await ledger.restore(TRIES, hash)
}

function close(
  ledger: WfLedger,
  hash: string,
  { address, browser }: Pick<CodeNote, 'address' | 'browser'>,
  code: string,
  token: string,
  until: number,
): Promise<void> {
  const sealed = sealFor(address, readCode(code) ?? code, token)
  return putCode(ledger, hash, { address, browser, sealed }, until)
}

export function putCode(
  ledger: WfLedger,
  hash: string,
  { address, browser, sealed }: CodeNote,
  until: number,
): Promise<void> {
  return ledger.put(CODE, hash, JSON.stringify({ address, browser, sealed }), until)
}

export async function findCode(ledger: WfLedger, hash: string): Promise<CodeNote | undefined> {
  const entry = await ledger.get(CODE, hash)
  const note: unknown = entry?.data === undefined ? undefined : JSON.parse(entry.data)
  return isCodeNote(note) ? note : undefined
}

/** What became of a code that was typed. */
export interface CodeTry {
  /** The link's token, if it was the right one. */
  readonly token?: string | undefined
  /** How many tries are left; less than none if this one was too many, and was not looked at. */
  readonly triesLeft: number
}

/**
 * Tries a code. Of any number of tries at once, no more are looked at than there may be. What cannot be a
 * code costs none, and the right one gives all of them back.
 */
export async function tryCode(
  ledger: WfLedger,
  { text, hash }: WatchToken,
  { sealed }: CodeNote,
  typed: unknown,
  until: number,
): Promise<CodeTry> {
  const code = readCode(typed)
  if (code === undefined) {
    const { count = 0 } = (await ledger.get(TRIES, hash)) ?? {}
    return { triesLeft: count > MOST_TRIES ? -1 : MOST_TRIES - count }
  }
  const triesLeft = MOST_TRIES - (await ledger.increment(TRIES, hash, until))
  const token = triesLeft < 0 ? undefined : openBox(text, code, sealed)
  if (token !== undefined) await ledger.restore(TRIES, hash)
  return { token, triesLeft }
}

/** Stored content is not trusted. */
function isCodeNote(note: unknown): note is CodeNote {
  if (!isRecord(note)) return false
  return [note.address, note.sealed, note.browser].every(part => typeof part === 'string')
}
