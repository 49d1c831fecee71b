import { useLogger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import {
  type Awaitable,
  bury,
  isRefusal,
  mayAnswer,
  notesOf,
  panelIn,
  recipientAt,
  watchUntil,
  type WfPeek,
  type WfRefusalReason,
  withNotes,
} from '../state'
import { isOf } from './admission'
import { isInTime } from './send-pace'
import { findFresh, type FreshNote, noteFresh } from './fresh-note'
import type { PausePlan } from './plan-pause'
import { redactTokens } from './redact-tokens'
import { RenewedLink } from './renewed-link'
import type { RequestToken } from './request-token'
import type { RunConfig } from './run-config'

const SENT = { soon: 'fresh-soon', today: 'fresh-today' }
/** What was revoked does not come back. */
const RENEWABLE: readonly WfRefusalReason[] = ['used', 'expired', 'superseded']

type Noting = Pick<RunConfig, 'ledger' | 'clock' | 'tombstoneTtl' | 'fresh'>
type Ledger = NonNullable<RunConfig['ledger']>

/** Notes of a link that goes to a person what is needed to send it anew. */
export function keepFresh(
  { ledger, clock, tombstoneTtl, fresh }: Noting,
  { audience, target, next, request }: Pick<PausePlan, 'audience' | 'target' | 'next' | 'request'>,
  token: string,
  expiresAt: number | undefined,
  seat?: string,
): Awaitable<void> {
  const { flow, pause } = notesOf(next) ?? {}
  const recipient = recipientAt(pause, seat)
  const isLink = audience === 'out-of-band' && request.fresh !== false
  if (!isLink || !ledger || !fresh || !flow || !recipient || !target.strategy.reissue) return
  const now = clock.now()
  const note = {
    flowId: flow.flowId,
    wfid: next.schemaId,
    strategy: target.name,
    outlet: recipient.outlet,
    target: recipient.target,
    seat,
    ttlMs: expiresAt === undefined ? undefined : expiresAt - now,
  }
  const until = watchUntil(expiresAt, now, tombstoneTtl)
  return noteFresh(ledger, token, note, until).catch((error: unknown) =>
    useLogger().error('It could not be noted how a link is sent anew', error),
  )
}

/** Whether whoever holds a dead token can have a link sent anew: it was theirs, and it is their turn. */
export async function mayHaveFresh(
  config: RunConfig,
  token: RequestToken | undefined,
  reason: WfRefusalReason,
): Promise<boolean> {
  if (!config.fresh || !config.ledger || !token?.issued || !RENEWABLE.includes(reason)) return false
  const note = await findFresh(config.ledger, String(token.text))
  return note !== undefined && isTheirTurn(config, note)
}

async function isTheirTurn(config: RunConfig, note: FreshNote): Promise<boolean> {
  let found: WfPeek | null = null
  const admit = (peek: WfPeek) => {
    found = renewed(config, note, peek)
    return null
  }
  await strategyOf(config, note)?.reissue?.(note.flowId, {
    admit,
    seat: note.seat,
    deliver: () => {},
  })
  return found !== null
}

/**
 * Sends a link anew to the recipient of the flow's present pause, if the token of whoever asks for it was
 * theirs and is dead. Never throws.
 *
 * @returns whether it was sent; not for whoever asks to know
 */
export async function sendFresh(config: RunConfig, token: RequestToken): Promise<boolean> {
  const { ledger, fresh } = config
  if (!ledger || !fresh || !token.issued) return false
  try {
    const note = await findFresh(ledger, String(token.text))
    if (!note || note.strategy !== token.issued.name) return false
    const { strategy, raw } = token.issued
    // A link that is good is not replaced, and whose turn is over must not use the limit of others up.
    if (!isRefusal(await strategy.peek(raw)) || !(await isTheirTurn(config, note))) return false
    const paced = { ledger, clock: config.clock, ...fresh, sent: SENT }
    return (await isInTime(paced, paceKeyOf(note))) && (await reissue(config, ledger, note))
  } catch (error) {
    const isMovedOn = error instanceof WfError && error.code === 'WF_CONFLICT'
    const safe = redactTokens(error, [String(token.text)])
    if (!isMovedOn) useLogger().error('A link could not be sent anew', safe)
    return false
  }
}

/** One of several people must not use the limit of the others up. */
function paceKeyOf({ flowId, seat }: FreshNote): string {
  return seat === undefined ? flowId : `${flowId} ${seat}`
}

async function reissue(config: RunConfig, ledger: Ledger, note: FreshNote): Promise<boolean> {
  const { clock, tombstoneTtl } = config
  let next: WfPeek | null = null
  let link: RenewedLink | undefined
  const renew = async () => (link = await RenewedLink.of(config, ledger, note, next!))
  const reissuing = async () =>
    strategyOf(config, note)?.reissue?.(note.flowId, {
      seat: note.seat,
      admit: found => (next = renewed(config, note, found)),
      message: async () => (await renew()).message,
      prepare: (raw, expiresAt) => link!.prepare(raw, expiresAt),
      deliver: async (raw, expiresAt) => (await renew()).deliver(raw, expiresAt),
    })
  const reissued = await reissuing().catch(async (error: unknown) => {
    await link?.undo()
    throw error
  })
  const { formerHash: hash } = reissued ?? {}
  if (hash !== undefined) {
    const former = { strategy: note.strategy, hash }
    const tombstone = { reason: 'superseded', wfid: note.wfid } as const
    await bury(ledger, former, tombstone, clock.now() + tombstoneTtl)
  }
  return Boolean(reissued)
}

function strategyOf({ registry }: RunConfig, { strategy }: FreshNote) {
  return registry.has(strategy) ? registry.named(strategy).strategy : undefined
}

/**
 * The pause of a flow under a fresh link, which lives for as long as the first one did; `null` if it is
 * not the turn of whoever had that one.
 */
function renewed(
  { allows, outlets, clock, maxLifetime = Infinity }: RunConfig,
  note: FreshNote,
  { state }: WfPeek,
): WfPeek | null {
  const notes = notesOf(state)
  const { fresh } = notes?.pause ?? {}
  const recipient = recipientAt(notes?.pause, note.seat)
  const isSame = notes?.flow.flowId === note.flowId && state.schemaId === note.wfid
  if (!isSame || !isOf(note.strategy, state) || !allows(note.wfid)) return null
  const panel = panelIn(notes.pause)
  if (panel && !mayAnswer(panel, note.seat)) return null
  if (fresh === false || recipient?.outlet !== note.outlet || recipient.target !== note.target) {
    return null
  }
  if (outlets.get(note.outlet)?.tokenDelivery !== 'out-of-band') return null
  const now = clock.now()
  const lifetime = Math.min(note.ttlMs ?? Infinity, notes.flow.startedAt + maxLifetime - now)
  if (lifetime <= 0) return null
  // It is a link from now on, whatever it was: used by whoever has it, and for one use.
  const { shown: _shown, holder: _holder, problem: _problem, ...kept } = notes.pause!
  const pause = { ...kept, outlet: note.outlet, outOfBand: true } as const
  return {
    state: withNotes(state, { ...notes, pause }),
    expiresAt: lifetime === Infinity ? undefined : now + lifetime,
  }
}
