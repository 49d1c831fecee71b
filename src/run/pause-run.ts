import type { WfOutletResult } from '../outlets'
import { pauseStands } from '../strategies'
import type { RunPlace } from './execute-run'
import { giveBack } from './give-back'
import type { OpenRun } from './open-run'
import type { PausePlan } from './plan-pause'
import { redactTokens } from './redact-tokens'
import { Rejection } from './rejection'
import type { PausedRun, SentRun } from './run-outcome'

type Deliver<P> = (raw: string, expiresAt?: number) => Promise<P>

/** Stores the paused state and delivers its token. If that fails, everything is as before. */
export function pauseRun<P>(run: OpenRun, plan: PausePlan, place: RunPlace<P>): Promise<P> {
  const deliver: Deliver<P> = async (raw, expiresAt) =>
    place.plan(await deliverToken(plan, raw, expiresAt))
  const stays = plan.target.name === run.strategyName
  return stays ? stayRun(run, plan, deliver) : moveRun(run, plan, place, deliver)
}

async function stayRun<P>(run: OpenRun, plan: PausePlan, deliver: Deliver<P>): Promise<P> {
  try {
    return await run.claim.pause(plan.next, plan, deliver)
  } catch (error) {
    // The claim has settled itself.
    if (!pauseStands(error)) await run.carriedOver?.giveBack()
    throw error
  }
}

/** Pauses in another strategy than the one that the run was claimed from. */
async function moveRun<P>(
  run: OpenRun,
  plan: PausePlan,
  place: RunPlace<P>,
  deliver: Deliver<P>,
): Promise<P> {
  let planned: P
  try {
    const moved = await plan.target.strategy.begin(plan.next, {})
    planned = await moved.pause(plan.next, plan, deliver)
  } catch (error) {
    // The flow goes on under the new token if that has been used, or may be alive.
    if (pauseStands(error)) await run.claim.finish(undefined)
    else await giveBack(run, error, place)
    throw error
  }
  // Out of the try: whatever happens now, the new token is out and the old one stays dead.
  await run.claim.finish(undefined)
  return planned
}

async function deliverToken(
  { outlet, request, audience, target, mark }: PausePlan,
  raw: string,
  expiresAt: number | undefined,
): Promise<PausedRun | SentRun> {
  const token = `${target.name}.${raw}`
  let result: WfOutletResult
  try {
    result = (await outlet.deliver(request, token)) ?? {}
  } catch (error) {
    throw new Rejection('WF_OUTLET_FAILED', { cause: redactTokens(error, [token]) })
  }
  const pause = { outlet: outlet.name, result, mark }
  return audience === 'caller'
    ? { kind: 'paused', ...pause, request, token, expiresAt }
    : { kind: 'sent', ...pause, secretToken: token }
}
