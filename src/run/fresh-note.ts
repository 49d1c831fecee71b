import { Buffer } from 'node:buffer'
import { hkdfSync } from 'node:crypto'
import { isRecord, type WfLedger } from '../state'
import { KEY_BYTES, openText, sealText } from './sealed-text'

const KIND = 'fresh'

/** What is needed to send a link anew, of which a person has only the dead one. */
export interface FreshNote {
  readonly flowId: string
  readonly wfid: string
  /** The name of the strategy that keeps the flow. */
  readonly strategy: string
  /** Whom it went to, and how. */
  readonly outlet: string
  readonly target: string
  /** Whose part it is, where several people are asked. */
  readonly seat?: string | undefined
  /** How long it could be used, in milliseconds; `undefined` for one without an end. */
  readonly ttlMs?: number | undefined
}

/** Keeps it so that only whoever has the token finds it, and can read it. */
export function noteFresh(
  ledger: WfLedger,
  token: string,
  { flowId, wfid, strategy, outlet, target, seat, ttlMs }: FreshNote,
  until: number,
): Promise<void> {
  const { id, key } = namesOf(token)
  const text = JSON.stringify({ flowId, wfid, strategy, outlet, target, seat, ttlMs })
  return ledger.put(KIND, id, sealText(key, text), until)
}

export async function findFresh(ledger: WfLedger, token: string): Promise<FreshNote | undefined> {
  const { id, key } = namesOf(token)
  const entry = await ledger.get(KIND, id)
  const note = entry?.data === undefined ? undefined : open(key, entry.data)
  return isFreshNote(note) ? note : undefined
}

/** Stored content is not trusted: what does not open was not written for this token. */
function open(key: Buffer, sealed: string): unknown {
  try {
    return JSON.parse(openText(key, sealed))
  } catch {
    return undefined
  }
}

function namesOf(token: string): { readonly id: string; readonly key: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', token, '', 'moost-wf fresh link', 2 * KEY_BYTES))
  return { id: bytes.subarray(0, KEY_BYTES).toString('base64url'), key: bytes.subarray(KEY_BYTES) }
}

function isFreshNote(note: unknown): note is FreshNote {
  if (!isRecord(note)) return false
  const { flowId, wfid, strategy, outlet, target, seat = '', ttlMs = 0 } = note
  const texts = [flowId, wfid, strategy, outlet, target, seat]
  return texts.every(text => typeof text === 'string') && typeof ttlMs === 'number'
}
