import { useLogger } from '@wooksjs/event-core'
import { isRefusal, type WfPeek } from '../state'
import { Admission } from './admission'
import type { WfTriggerDeps } from './deps'
import { codeSpellings, newCode } from './link-code'
import { redactTokens } from './redact-tokens'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { type CodePlace, codePlaceOf, noteSeatCode } from './seat-code'
import { isInTime } from './send-pace'

const SENT = { soon: 'seat-code-soon', today: 'seat-code-today' }

/**
 * Sends a code to the person that a link is for, if the link is good and they need one. Never throws.
 *
 * @param actor who is signed in
 * @returns whether it was sent; not for whoever asks to know
 */
export async function sendCode(
  config: RunConfig,
  deps: WfTriggerDeps,
  { token, browser }: Pick<RunRequest, 'token' | 'browser'>,
  actor: string | undefined,
): Promise<boolean> {
  if (!token?.issued) return false
  const { name: strategyName, strategy, raw } = token.issued
  const text = String(token.text)
  try {
    const peek = await strategy.peek(raw)
    if (isRefusal(peek)) return false
    const admission = new Admission(config, deps, { strategyName, browser })
    admission.meet({ actor })
    return admission.admit(peek)?.refusal === 'code-needed' && (await send(config, peek, text))
  } catch (error) {
    useLogger().error('A code could not be sent', redactTokens(error, [text]))
    return false
  }
}

async function send(config: RunConfig, peek: WfPeek, token: string): Promise<boolean> {
  const { ledger, codes, clock, outlets } = config
  const place = codePlaceOf(peek)
  if (!ledger || !codes || !place) return false
  if (outlets.get(place.outlet)?.tokenDelivery !== 'out-of-band') return false
  if (!(await isInTime({ ledger, clock, ...codes, sent: SENT }, place.key))) return false
  const code = newCode()
  // It works before it leaves, as links do.
  const noted = await noteSeatCode(ledger, place, token, code, clock.now())
  try {
    await deliver(config, place, code)
    return true
  } catch (error) {
    await noted.undo()
    throw redactTokens(error, codeSpellings(code))
  }
}

/** Without the link: whoever could read both in one message would not need to have two. */
async function deliver(
  { outlets }: Pick<RunConfig, 'outlets'>,
  { outlet, target, template }: CodePlace,
  code: string,
): Promise<void> {
  await outlets.get(outlet)!.deliver({ outlet, target, template }, '', { code })
}
