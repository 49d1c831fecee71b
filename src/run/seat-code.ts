import { Buffer } from 'node:buffer'
import { createHash, hkdfSync } from 'node:crypto'
import { notesOf, panelIn, seatOf, type WfLedger, type WfPeek } from '../state'
import { MOST_TRIES } from './code-note'
import { readCode } from './link-code'
import { KEY_BYTES, openText, sealText } from './sealed-text'

const CODE = 'seat-code'
const TRIES = 'seat-code-tries'
const LIFETIME_MS = 10 * 60_000

/** Where the code goes that somebody needs beside their link. */
export interface CodePlace {
  readonly outlet: string
  readonly target: string
  readonly template: string
  /** Names whoever has the part now, on the ledger. */
  readonly key: string
  /** What the code proves: at which address, and for which answer. With the answer it is worth nothing. */
  readonly proves: string
}

/** @returns `undefined` for the link of somebody who needs none */
export function codePlaceOf({ state, seat: id }: WfPeek): CodePlace | undefined {
  const { flow, pause } = notesOf(state) ?? {}
  const panel = panelIn(pause)
  const seat = panel && seatOf(panel, id)
  if (!flow || !seat?.code) return undefined
  const { recipient, code, answer } = seat
  const { outlet = recipient.outlet, to: target = recipient.target, template = 'code' } = code
  const whose = JSON.stringify([flow.flowId, seat.id, recipient.target, target])
  return {
    outlet,
    target,
    template,
    key: createHash('sha256').update(whose).digest('base64url'),
    proves: JSON.stringify([target, answer?.at]),
  }
}

/** A code that was written down, and what was there before. */
export interface NotedCode {
  /** It could not be sent: the former one, if there was one, is good again. */
  undo(): Promise<void>
}

/**
 * Notes a code in place of the former one. It is sealed under the link's token: whoever has a copy of the ledger
 * has neither.
 */
export async function noteSeatCode(
  ledger: WfLedger,
  { key, proves }: CodePlace,
  token: string,
  code: string,
  now: number,
): Promise<NotedCode> {
  const former = await ledger.get(CODE, key)
  await ledger.put(CODE, key, sealText(keyOf(token, code), proves), now + LIFETIME_MS)
  return {
    undo: () =>
      former?.data === undefined
        ? ledger.restore(CODE, key)
        : ledger.put(CODE, key, former.data, former.expiresAt),
  }
}

/** What became of a code that was typed, or of none. */
export interface SeatCodeTry {
  /** The address at which whoever has typed it has got it, if it was the right one. */
  readonly provenBy?: string | undefined
  /** Something was typed, and a code was sent. */
  readonly isWrong?: true | undefined
  /** How many tries are left, if a code was sent; less than none if this one was too many, and was not looked at. */
  readonly triesLeft?: number | undefined
}

/**
 * Tries a code. Of any number of tries at once, no more are looked at than there may be; what cannot be a code
 * costs none, and the right one gives all of them back.
 *
 * @param typed `undefined` for whoever has no code yet
 */
export async function trySeatCode(
  ledger: WfLedger,
  { key, target, proves }: CodePlace,
  token: string,
  typed: unknown,
): Promise<SeatCodeTry> {
  const { data: sealed, expiresAt } = (await ledger.get(CODE, key)) ?? {}
  if (sealed === undefined) return {}
  // Each code has tries of its own.
  const tries = createHash('sha256').update(sealed).digest('base64url')
  const code = readCode(typed)
  if (code === undefined) {
    const { count = 0 } = (await ledger.get(TRIES, tries)) ?? {}
    if (typed === undefined) return { triesLeft: Math.max(0, MOST_TRIES - count) }
    return { isWrong: true, triesLeft: count > MOST_TRIES ? -1 : MOST_TRIES - count }
  }
  const triesLeft = MOST_TRIES - (await ledger.increment(TRIES, tries, expiresAt))
  if (triesLeft < 0 || !isRight(token, code, sealed, proves)) return { isWrong: true, triesLeft }
  await ledger.restore(TRIES, tries)
  return { provenBy: target }
}

function isRight(token: string, code: string, sealed: string, proves: string): boolean {
  try {
    return openText(keyOf(token, code), sealed) === proves
  } catch {
    return false
  }
}

function keyOf(token: string, code: string): Buffer {
  const plain = readCode(code) ?? code
  return Buffer.from(hkdfSync('sha256', token, plain, 'moost-wf seat code', KEY_BYTES))
}
