import { isRecord } from './is-record'
import { sha256 } from './sha256'
import { formatToken } from './token'
import { handleIn } from './versioned-handle'
import type { WfLedger } from './wf-ledger'
import type { WfPause } from './wf-notes'

const KIND = 'tombstone'
const REASONS: readonly Tombstone['reason'][] = ['used', 'superseded', 'revoked', 'busy']

/** How long a token that is no more is told from one that never was. */
export const TOMBSTONE_TTL_MS = 7 * 24 * 60 * 60_000

/** What became of a token. */
export interface Tombstone {
  /** `busy`: an answer to its form is being looked at, and it may live again. */
  readonly reason: 'used' | 'superseded' | 'revoked' | 'busy'
  readonly wfid: string
  /** The form that it was for was answered. */
  readonly answered?: WfAnswered | undefined
}

/** What others may know of an answer. */
export interface WfAnswered {
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined
  readonly by?: string | undefined
}

/** What the workflow allows others to know of the answer to a pause. */
export function answeredOf(pause: WfPause | undefined, at: number): WfAnswered | undefined {
  if (!pause?.form) return undefined
  const { usedNote } = pause.form
  if (usedNote === undefined) return {}
  return usedNote === true ? { at } : { at, by: usedNote }
}

/** A token that is known by its hash alone. */
export interface BuriedToken {
  /** The name of its strategy. */
  readonly strategy: string
  /** SHA-256 of the rest of it, in base64url. */
  readonly hash: string
}

/** All versions of a stable handle are one token here. */
export async function buriedToken(
  strategy: string,
  raw: string,
  keepsHandle: boolean | undefined,
): Promise<BuriedToken> {
  return { strategy, hash: await sha256(keepsHandle ? handleIn(raw) : raw) }
}

/** Notes what became of a token, so that whoever shows it again can be told. */
export function bury(
  ledger: WfLedger,
  token: BuriedToken,
  tombstone: Tombstone,
  expiresAt: number,
): Promise<void> {
  return ledger.put(KIND, keyOf(token), JSON.stringify(tombstone), expiresAt)
}

/** Takes back what was noted. */
export function unbury(ledger: WfLedger, token: BuriedToken): Promise<void> {
  return ledger.restore(KIND, keyOf(token))
}

export async function findTombstone(
  ledger: WfLedger,
  token: BuriedToken,
): Promise<Tombstone | undefined> {
  const entry = await ledger.get(KIND, keyOf(token))
  const note: unknown = entry?.data === undefined ? undefined : JSON.parse(entry.data)
  return isTombstone(note) ? note : undefined
}

function isTombstone(note: unknown): note is Tombstone {
  const isKnown = isRecord(note) && REASONS.includes(note.reason as Tombstone['reason'])
  return isKnown && typeof note.wfid === 'string' && isAnswered(note.answered)
}

/** Stored content is not trusted. */
export function isAnswered(note: unknown): note is WfAnswered | undefined {
  if (note === undefined) return true
  const { at = 0, by = '' } = isRecord(note) ? note : { at: note }
  return typeof at === 'number' && typeof by === 'string'
}

function keyOf({ strategy, hash }: BuriedToken): string {
  return formatToken({ name: strategy, raw: hash })
}
