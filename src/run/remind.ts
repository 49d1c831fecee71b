import { WfError } from '../errors'
import { formatToken, notesOf, type WfPanel, type WfReminderTimer, watchUntil } from '../state'
import { askedPanelOf } from './asked-panel'
import { noteFresh } from './fresh-note'
import { NextCode } from './next-code'
import { seatMessage } from './panel-request'
import type { RunConfig } from './run-config'

/**
 * Sends the message of a pause to whoever has got it, with a link that lives for as long as the first one
 * did: whichever of them is answered, all of them are used.
 *
 * @throws what the outlet throws, without the token
 */
export async function remindAgain(
  config: RunConfig,
  strategyName: string,
  timer: WfReminderTimer,
): Promise<void> {
  const { clock, maxLifetime = Infinity, tombstoneTtl, outlets } = config
  const { state, reminder } = timer
  const { flow, pause = {} } = notesOf(state) ?? {}
  const { recipient } = pause
  const panel = askedPanelOf(pause)
  if (!flow || !(recipient || panel)) throw new WfError('WF_CONFIG', 'There is nobody to remind.')
  const now = clock.now()
  const lifetime = Math.min(timer.ttlMs ?? Infinity, flow.startedAt + maxLifetime - now)
  const expiresAt = lifetime === Infinity ? undefined : Math.floor(now + lifetime)
  if (panel) return remindEach(config, strategyName, timer, panel, expiresAt)
  if (!recipient) return
  const code = await NextCode.of(config, pause, watchUntil(expiresAt, now, tombstoneTtl))
  const request = { ...recipient, reminder }
  const tokenOf = (raw: string) => formatToken({ name: strategyName, raw })
  const tell = (token: string) => tellFresh(config, strategyName, timer, { token, expiresAt })
  try {
    await timer.remind(expiresAt, {
      message: { outlet: recipient.outlet, request, code: code.text },
      prepare: async raw => {
        await code.take(tokenOf(raw))
        await tell(tokenOf(raw))
      },
      deliver: async raw => {
        const outlet = outlets.get(recipient.outlet)
        if (!outlet) throw new WfError('WF_CONFIG', `There is no outlet "${recipient.outlet}".`)
        const token = tokenOf(raw)
        await code.take(token)
        const details = code.text === undefined ? {} : { code: code.text }
        try {
          await outlet.deliver(request, token, details)
        } catch (error) {
          throw code.redact(error, token)
        }
        code.keep()
        await tell(token)
      },
    })
  } catch (error) {
    await code.undo()
    throw error
  }
}

/** Those of several people who have not answered. */
async function remindEach(
  config: RunConfig,
  strategyName: string,
  timer: WfReminderTimer,
  { seats }: WfPanel,
  expiresAt: number | undefined,
): Promise<void> {
  const { state, reminder } = timer
  const target = config.registry.named(strategyName)
  const { fresh } = notesOf(state)?.pause ?? {}
  const each = seats.flatMap(seat => {
    if (seat.answer) return []
    const { outlet } = seat.recipient
    const { message, ...one } = seatMessage(config, target, state, seat, { outlet, fresh })
    return [{ ...one, message: { ...message, request: { ...seat.recipient, reminder } } }]
  })
  await timer.remindEach?.(expiresAt, each)
}

/** Notes what is needed to send this link anew. */
async function tellFresh(
  { clock, fresh, ledger, tombstoneTtl }: RunConfig,
  strategy: string,
  { state, ttlMs }: WfReminderTimer,
  { token, expiresAt }: { readonly token: string; readonly expiresAt: number | undefined },
): Promise<void> {
  const { flow, pause } = notesOf(state)!
  if (!ledger || !fresh || pause?.fresh === false) return
  const { outlet, target } = pause!.recipient!
  const note = { flowId: flow.flowId, wfid: state.schemaId, strategy, outlet, target, ttlMs }
  await noteFresh(ledger, token, note, watchUntil(expiresAt, clock.now(), tombstoneTtl))
}
