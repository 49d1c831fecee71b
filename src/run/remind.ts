import { WfError } from '../errors'
import { formatToken, notesOf, type WfReminderTimer, watchUntil } from '../state'
import { deliverAgain } from './deliver-again'
import { noteFresh } from './fresh-note'
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
  const { clock, maxLifetime = Infinity, ledger, tombstoneTtl } = config
  const { state, reminder } = timer
  const { flow, pause } = notesOf(state) ?? {}
  const { recipient } = pause ?? {}
  const now = clock.now()
  const left = (flow?.startedAt ?? now) + maxLifetime - now
  const lifetime = Math.min(timer.ttlMs ?? Infinity, left)
  const expiresAt = lifetime === Infinity ? undefined : Math.floor(now + lifetime)
  await timer.remind(expiresAt, async raw => {
    if (!flow || !recipient) throw nobodyThere()
    const token = formatToken({ name: strategyName, raw })
    const until = watchUntil(expiresAt, now, tombstoneTtl)
    await deliverAgain(config, pause!, { token, until, reminder })
    if (!ledger || !config.fresh || pause!.fresh === false) return
    const note = {
      flowId: flow.flowId,
      wfid: state.schemaId,
      strategy: strategyName,
      outlet: recipient.outlet,
      target: recipient.target,
      ttlMs: timer.ttlMs,
    }
    await noteFresh(ledger, token, note, until)
  })
}

const nobodyThere = () => new WfError('WF_CONFIG', 'There is nobody to remind.')
