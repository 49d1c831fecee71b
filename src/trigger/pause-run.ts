import { useResponse } from '@wooksjs/event-http'
import type { WfOutletResult } from '../outlets'
import type { WfClaim } from '../state'
import { giveBack } from './give-back'
import { assertTokenIsKept } from './keep-token'
import type { OpenRun } from './open-run'
import type { PausePlan } from './plan-pause'
import { redactToken } from './redact-token'
import { Rejection } from './rejection'
import { assertSendable } from './sendable'

/** What the caller gets to know of a pause. */
export interface Delivery {
  readonly result: WfOutletResult
  /** Only when it is the caller's. */
  readonly token?: string
  readonly expiresAt?: number
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
  const delivery = await elseRelease(run.claim, async () => {
    const moved = await plan.target.strategy.begin(plan.next, {})
    return moved.pause(plan.next, plan, deliver)
  })
  await run.claim.finish(undefined)
  return delivery
}

async function deliverToken(
  { outlet, request, audience, target }: PausePlan,
  raw: string,
  expiresAt: number | undefined,
): Promise<Delivery> {
  const token = `${target.name}.${raw}`
  if (audience === 'caller') assertCallerIsThere()
  let result: WfOutletResult
  try {
    result = (await outlet.deliver(request, token)) ?? {}
  } catch (error) {
    throw undelivered(redactToken(error, token))
  }
  assertSendable({ body: result.response, status: result.status })
  if (audience === 'caller') return { result, token, expiresAt }
  assertTokenIsKept(token, outlet.name, result)
  return { result: { response: { sent: true, outlet: outlet.name }, ...result } }
}

/** A token that nobody receives would strand the flow: the caller's old one shall work again. */
function assertCallerIsThere(): void {
  const raw = useResponse().getRawRes(true)
  if (raw.destroyed || raw.socket?.destroyed)
    throw undelivered(new Error('The client has gone away.'))
}

function undelivered(cause: unknown): Rejection {
  return new Rejection('WF_OUTLET_FAILED', { cause })
}

async function elseRelease<R>(claim: WfClaim, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    await giveBack(claim, error)
    throw error
  }
}
