import type { WfOutletResult } from '../outlets'
import {
  type Awaitable,
  formatToken,
  isAwaited,
  type WfDeliver,
  type WfPaused,
  whenKnown,
} from '../state'
import { beginIn } from './begin-run'
import type { TakenOver } from './carry-over'
import type { RunPlace } from './execute-run'
import { giveBack } from './give-back'
import type { OpenRun } from './open-run'
import type { PausePlan } from './plan-pause'
import { redactTokens } from './redact-tokens'
import { Rejection } from './rejection'
import type { PausedRun, SentRun } from './run-outcome'

/** Stores the paused state and delivers its token. If that fails, everything is as before. */
export function pauseRun<P>(run: OpenRun, plan: PausePlan, place: RunPlace<P>): Awaitable<P> {
  if (plan.stays) return askAgain(run, plan, place)
  const goesOnHere = plan.target.name === run.strategyName
  return goesOnHere ? pauseHere(run, plan, place) : moveRun(run, plan, place)
}

function pauseHere<P>(run: OpenRun, plan: PausePlan, place: RunPlace<P>): Awaitable<P> {
  const pause = () => run.claim.pause(plan.next, plan, delivering(plan, place))
  const pausing = run.carriedOver ? orGiveBack(run.carriedOver, pause) : pause()
  return whenKnown(pausing, paused => plannedFor(paused, plan, place))
}

/** A claim whose pause fails has settled itself; what was carried over can be taken again. */
async function orGiveBack<T>(carriedOver: TakenOver, pause: () => Awaitable<T>): Promise<T> {
  try {
    return await pause()
  } catch (error) {
    await carriedOver.giveBack()
    throw error
  }
}

/** Pauses in another strategy than the one that the run was claimed from. */
async function moveRun<P>(run: OpenRun, plan: PausePlan, place: RunPlace<P>): Promise<P> {
  let paused: WfPaused<P>
  try {
    const moved = await beginIn(plan.target, plan.next)
    paused = await moved.pause(plan.next, plan, delivering(plan, place))
  } catch (error) {
    await giveBack(run, error, place)
    throw error
  }
  // Out of the try: whatever happens now, the new token is out and the old one stays dead.
  await run.claim.handOver()
  return plannedFor(paused, plan, place)
}

/** The same token lives on: the caller has it. */
async function askAgain<P>(run: OpenRun, plan: PausePlan, place: RunPlace<P>): Promise<P> {
  let planned: P
  try {
    planned = await delivering(plan, place)(run.raw ?? '', run.claim.expiresAt)
  } catch (error) {
    await giveBack(run, error, place)
    throw error
  }
  await run.claim.stay?.(plan.next)
  return planned
}

function plannedFor<P>(paused: WfPaused<P>, plan: PausePlan, place: RunPlace<P>): P {
  switch (paused.outcome) {
    case 'delivered':
      return paused.delivered
    case 'queued':
      return place.plan({ kind: 'sent', outlet: plan.outlet.name, result: {}, mark: plan.mark })
    default:
      throw paused.error
  }
}

/** Delivers a token, and plans the answer while both can still be undone. */
function delivering<P>(plan: PausePlan, place: RunPlace<P>): WfDeliver<P> {
  return (raw, expiresAt) => {
    const token = formatToken({ name: plan.target.name, raw })
    return whenKnown(deliverToken(plan, token), result =>
      place.plan(outcomeOf(plan, token, result ?? {}, expiresAt)),
    )
  }
}

/** @throws Rejection `WF_OUTLET_FAILED` */
function deliverToken({ outlet, request }: PausePlan, token: string) {
  const failed = (error: unknown): never => {
    throw new Rejection('WF_OUTLET_FAILED', { cause: redactTokens(error, [token]) })
  }
  try {
    const delivering = outlet.deliver(request, token)
    return isAwaited(delivering) ? Promise.resolve(delivering).catch(failed) : delivering
  } catch (error) {
    return failed(error)
  }
}

function outcomeOf(
  { outlet, request, audience, mark }: PausePlan,
  token: string,
  result: WfOutletResult,
  expiresAt: number | undefined,
): PausedRun | SentRun {
  const { name } = outlet
  return audience === 'caller'
    ? { kind: 'paused', outlet: name, result, mark, request, token, expiresAt }
    : { kind: 'sent', outlet: name, result, mark, secretToken: token }
}
