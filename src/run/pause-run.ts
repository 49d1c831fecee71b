import type { WfOutletResult } from '../outlets'
import {
  type Awaitable,
  formatToken,
  isAwaited,
  notesOf,
  type WfDeliver,
  type WfPaused,
  type WfPauseOptions,
  watchUntil,
  whenKnown,
} from '../state'
import { beginIn } from './begin-run'
import { noteCode } from './code-note'
import type { RunPlace } from './execute-run'
import { keepFresh } from './fresh-link'
import { giveBackOrRetry } from './give-back'
import type { OpenRun } from './open-run'
import type { PausePlan } from './plan-pause'
import { codeSpellings } from './link-code'
import { redactTokens } from './redact-tokens'
import { Rejection } from './rejection'
import type { RunConfig } from './run-config'
import type { PausedRun, SentRun } from './run-outcome'
import { openWatch } from './watch'

type Watching = Pick<RunConfig, 'ledger' | 'clock' | 'tombstoneTtl' | 'fresh'>

/** Stores the paused state and delivers its token. If that fails, everything is as before. */
export function pauseRun<P>(
  config: Watching,
  run: OpenRun,
  plan: PausePlan,
  place: RunPlace<P>,
): Awaitable<P> {
  if (plan.keptRaw !== undefined) return askAgain(config, run, plan, plan.keptRaw, place)
  const goesOnHere = plan.target.name === run.strategyName
  return goesOnHere ? pauseHere(config, run, plan, place) : moveRun(config, run, plan, place)
}

function pauseHere<P>(
  config: Watching,
  run: OpenRun,
  plan: PausePlan,
  place: RunPlace<P>,
): Awaitable<P> {
  // A claim whose pause fails has settled itself.
  const undone = async (error: unknown): Promise<never> => {
    place.undo?.()
    await run.carriedOver?.giveBack()
    throw error
  }
  let pausing: Awaitable<WfPaused<P>>
  try {
    pausing = run.claim.pause(plan.next, optionsOf(config, plan), delivering(config, plan, place))
  } catch (error) {
    return undone(error)
  }
  if (isAwaited(pausing)) pausing = Promise.resolve(pausing).catch(undone)
  return whenKnown(pausing, paused => plannedFor(config, paused, plan, place))
}

/** Pauses in another strategy than the one that the run was claimed from. */
async function moveRun<P>(
  config: Watching,
  run: OpenRun,
  plan: PausePlan,
  place: RunPlace<P>,
): Promise<P> {
  let paused: WfPaused<P>
  try {
    const moved = await beginIn(plan.target, plan.next)
    paused = await moved.pause(plan.next, optionsOf(config, plan), delivering(config, plan, place))
  } catch (error) {
    return giveBackOrRetry(config, run, error, place)
  }
  // Out of the try: whatever happens now, the new token is out and the old one stays dead.
  await run.claim.handOver()
  return plannedFor(config, paused, plan, place)
}

/** The same token lives on: the caller has it. */
async function askAgain<P>(
  config: Watching,
  run: OpenRun,
  plan: PausePlan,
  raw: string,
  place: RunPlace<P>,
): Promise<P> {
  let planned: P
  try {
    planned = await delivering(config, plan, place)(raw, run.claim.expiresAt)
  } catch (error) {
    return giveBackOrRetry(config, run, error, place)
  }
  try {
    await run.claim.stay?.(plan.next)
  } catch (error) {
    place.undo?.()
    throw error
  }
  return planned
}

function plannedFor<P>(
  config: Watching,
  paused: WfPaused<P>,
  plan: PausePlan,
  place: RunPlace<P>,
): Awaitable<P> {
  switch (paused.outcome) {
    case 'delivered':
      return paused.delivered
    case 'queued':
      return plannedQueued(config, paused.expiresAt ?? expiryOf(config, plan), plan, place)
    default:
      throw paused.error
  }
}

function plannedQueued<P>(
  config: Watching,
  expiresAt: number | undefined,
  plan: PausePlan,
  place: RunPlace<P>,
): Awaitable<P> {
  const { outlet, mark, code: secretCode } = plan
  const sent = { kind: 'sent', outlet: outlet.name, result: {}, isQueued: true } as const
  return whenKnown(watchOf(config, plan, expiresAt), watch =>
    place.plan({ ...sent, mark, watch, secretCode }),
  )
}

/** What a strategy is told that delivers later by itself: the code and the note of a link are there before it. */
function optionsOf(config: Watching, plan: PausePlan): WfPauseOptions {
  if (plan.audience === 'caller') return plan
  return Object.assign({}, plan, {
    prepare: (raw: string, expiresAt?: number) => {
      const token = formatToken({ name: plan.target.name, raw })
      return whenKnown(keepCode(config, plan, token, expiresAt), () =>
        keepFresh(config, plan, token, expiresAt),
      )
    },
  })
}

/** Delivers a token, and plans the answer while both can still be undone. */
function delivering<P>(config: Watching, plan: PausePlan, place: RunPlace<P>): WfDeliver<P> {
  return (raw, expiresAt) => {
    const token = formatToken({ name: plan.target.name, raw })
    // The code works before it leaves, as the token does.
    return whenKnown(keepCode(config, plan, token, expiresAt), () =>
      whenKnown(deliverToken(plan, token), result =>
        whenKnown(keepFresh(config, plan, token, expiresAt), () =>
          whenKnown(watchOf(config, plan, expiresAt), watch =>
            place.plan(
              outcomeOf(plan, token, plan.isHidden ? {} : (result ?? {}), expiresAt, watch),
            ),
          ),
        ),
      ),
    )
  }
}

/** Without its code the message would say what is not true: what fails here undoes the pause. */
function keepCode(
  { ledger, clock, tombstoneTtl }: Watching,
  { code, watch, mark }: PausePlan,
  token: string,
  expiresAt: number | undefined,
): Awaitable<void> {
  if (code === undefined || !ledger || !watch || !mark) return
  const until = watchUntil(expiresAt, clock.now(), tombstoneTtl)
  return noteCode(ledger, { watch, code, token, browser: mark.hash }, until)
}

/** What the caller can watch a pause by that goes to someone else. */
function watchOf(
  config: Watching,
  { watch, target, next }: PausePlan,
  expiresAt: number | undefined,
): Awaitable<string | undefined> {
  const { flowId } = notesOf(next)?.flow ?? {}
  const pause = { wfid: next.schemaId, flowId, strategy: target.name, expiresAt }
  return watch && openWatch(config, watch, pause)
}

/** When a pause will end that a strategy delivers later, as far as that was said. */
function expiryOf({ clock }: Watching, { ttl = Infinity, atMost = Infinity }: PausePlan) {
  const lifetime = Math.min(ttl, atMost)
  return lifetime === Infinity ? undefined : clock.now() + lifetime
}

/** @throws Rejection `WF_OUTLET_FAILED` */
function deliverToken({ outlet, request, code }: PausePlan, token: string) {
  const failed = (error: unknown): never => {
    throw new Rejection('WF_OUTLET_FAILED', {
      cause: redactTokens(error, [token, ...codeSpellings(code)]),
    })
  }
  try {
    const delivering = outlet.deliver(request, token, code === undefined ? {} : { code })
    return isAwaited(delivering) ? Promise.resolve(delivering).catch(failed) : delivering
  } catch (error) {
    return failed(error)
  }
}

function outcomeOf(
  { outlet, request, audience, mark, code }: PausePlan,
  token: string,
  result: WfOutletResult,
  expiresAt: number | undefined,
  watch: string | undefined,
): PausedRun | SentRun {
  const { name } = outlet
  return audience === 'caller'
    ? { kind: 'paused', outlet: name, result, mark, request, token, expiresAt }
    : { kind: 'sent', outlet: name, result, mark, watch, secretToken: token, secretCode: code }
}
