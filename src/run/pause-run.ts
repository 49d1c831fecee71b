import type { WfOutletResult } from '../outlets'
import type { BrowserMark } from '../trigger/answer/browser-cookie'
import { pauseStands } from '../strategies/claim/deliver-or-undo'
import { giveBack } from './give-back'
import { assertTokenIsKept } from '../trigger/answer/keep-token'
import type { OpenRun } from './open-run'
import type { PausePlan } from './plan-pause'
import { redactTokens } from './redact-tokens'
import { Rejection } from './rejection'
import { assertSendable } from '../trigger/answer/sendable'

/** What the caller gets to know of a pause. */
export interface Delivery {
  readonly result: WfOutletResult
  /** Only when it is the caller's. */
  readonly token?: string
  readonly expiresAt?: number
  /** How the caller's browser is to be known again, if it is. */
  readonly mark?: BrowserMark
}

type Deliver = (raw: string, expiresAt?: number) => Promise<Delivery>

/** Stores the paused state and delivers its token. If that fails, everything is as before. */
export function pauseRun(run: OpenRun, plan: PausePlan): Promise<Delivery> {
  const deliver: Deliver = (raw, expiresAt) => deliverToken(plan, raw, expiresAt)
  const stays = plan.target.name === run.strategyName
  return stays ? run.claim.pause(plan.next, plan, deliver) : moveRun(run, plan, deliver)
}

/** Pauses in another strategy than the one that the run was claimed from. */
async function moveRun(run: OpenRun, plan: PausePlan, deliver: Deliver): Promise<Delivery> {
  let delivery: Delivery
  try {
    const moved = await plan.target.strategy.begin(plan.next, {})
    delivery = await moved.pause(plan.next, plan, deliver)
  } catch (error) {
    // The flow goes on under the new token if that has been used, or may be alive.
    if (pauseStands(error)) await run.claim.finish(undefined)
    else await giveBack(run.claim, error)
    throw error
  }
  // Out of the try: whatever happens now, the new token is out and the old one stays dead.
  await run.claim.finish(undefined)
  return delivery
}

async function deliverToken(
  { outlet, request, audience, target, mark }: PausePlan,
  raw: string,
  expiresAt: number | undefined,
): Promise<Delivery> {
  const token = `${target.name}.${raw}`
  let result: WfOutletResult
  try {
    result = (await outlet.deliver(request, token)) ?? {}
  } catch (error) {
    throw new Rejection('WF_OUTLET_FAILED', { cause: redactTokens(error, [token]) })
  }
  assertSendable({ body: result.response, status: result.status })
  if (audience === 'caller') return { result, token, expiresAt, mark }
  assertTokenIsKept(token, outlet.name, result)
  return { result: { response: { sent: true, outlet: outlet.name }, ...result }, mark }
}
