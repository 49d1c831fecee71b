import { isRecord } from './is-record'
import type { WfLedger } from './wf-ledger'

const WATCH = 'watch'
/** Apart from the first, so that an answer that comes sooner is not overwritten. */
const WATCH_END = 'watch-end'
const DAY_MS = 24 * 60 * 60_000
/** For how long a pause without an end can be watched. */
const LONGEST_WATCH_MS = 30 * DAY_MS
const ENDS: readonly WatchEnd['state'][] = ['answered', 'ended', 'revoked']

/** A pause that someone waits for, who cannot go on with it. */
export interface WatchedPause {
  readonly wfid: string
  readonly flowId?: string | undefined
  /** The name of the strategy that keeps it. */
  readonly strategy: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** What is watched is no pause, but a step that is tried again. */
  readonly isOfRun?: true | undefined
}

/** What became of it. Never by whom. */
export interface WatchEnd {
  readonly state: 'answered' | 'ended' | 'revoked'
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Notes that a pause can be watched by whoever has the token with this hash. */
export function noteWatch(
  ledger: WfLedger,
  hash: string,
  { wfid, flowId, strategy, expiresAt, isOfRun }: WatchedPause,
  until: number,
): Promise<void> {
  const note = { wfid, flowId, strategy, expiresAt, isOfRun }
  return ledger.put(WATCH, hash, JSON.stringify(note), until)
}

/** Notes what became of it. It must outlive what it is about, which would seem to wait again. */
export function noteWatchEnd(
  ledger: WfLedger,
  hash: string,
  { state, at }: WatchEnd,
  until: number,
): Promise<void> {
  return ledger.put(WATCH_END, hash, JSON.stringify({ state, at }), until)
}

/** How long both are kept. */
export function watchUntil(
  expiresAt: number | undefined,
  now: number,
  tombstoneTtl: number,
): number {
  return expiresAt === undefined ? now + LONGEST_WATCH_MS : Math.max(expiresAt, now) + tombstoneTtl
}

/** The pause that a token with this hash is for. */
export async function findWatch(ledger: WfLedger, hash: string): Promise<WatchedPause | undefined> {
  const note = parse(await ledger.get(WATCH, hash))
  const { wfid, flowId, strategy, expiresAt, isOfRun } = note ?? {}
  if (typeof wfid !== 'string' || typeof strategy !== 'string') return undefined
  return {
    wfid,
    flowId: typeof flowId === 'string' ? flowId : undefined,
    strategy,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    isOfRun: isOfRun === true || undefined,
  }
}

/** What became of it, and until when that is kept. */
export async function findWatchEnd(
  ledger: WfLedger,
  hash: string,
): Promise<(WatchEnd & { readonly until?: number | undefined }) | undefined> {
  const entry = await ledger.get(WATCH_END, hash)
  const { state, at } = parse(entry) ?? {}
  const known = ENDS.find(end => end === state)
  return known && typeof at === 'number' ? { state: known, at, until: entry?.expiresAt } : undefined
}

function parse(entry: { readonly data?: string | undefined } | null) {
  const note: unknown = entry?.data === undefined ? undefined : JSON.parse(entry.data)
  return isRecord(note) ? note : undefined
}
