import { WfError } from '../errors'
import { formatToken, notesOf, type WfReminderTimer, watchUntil } from '../state'
import { noteFresh } from './fresh-note'
import { NextCode } from './next-code'
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
  if (!flow || !recipient) throw new WfError('WF_CONFIG', 'There is nobody to remind.')
  const now = clock.now()
  const lifetime = Math.min(timer.ttlMs ?? Infinity, flow.startedAt + maxLifetime - now)
  const expiresAt = lifetime === Infinity ? undefined : Math.floor(now + lifetime)
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
