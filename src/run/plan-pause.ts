import { WfError } from '../errors'
import type { WfOutlet, WfOutletRequest, WfPanelRequest } from '../outlets'
import {
  notesOf,
  panelIn,
  positionAt,
  type WfFlow,
  type WfPause,
  type WfPauseOptions,
  type WfSeatMessage,
  type WfState,
  type WfStepForm,
  withNotes,
} from '../state'
import type { NamedStrategy } from '../strategies'
import { formsAt } from './asked-form'
import { isForSameBrowser, toOutletRequest, withoutOurs } from './asked-request'
import { type BrowserMark, browserMark } from './browser-mark'
import type { WfRunOutput, WfTriggerDeps } from './deps'
import { asksWhoIsUnknown } from './like-a-start'
import { newCode } from './link-code'
import { NeedsRequest } from './needs-request'
import type { OpenRun } from './open-run'
import { deadlineOf } from './pause-deadline'
import { panelFor, seatMessage } from './panel-request'
import { pausedForm } from './paused-form'
import { recipientOf } from './recipient'
import type { RunConfig } from './run-config'
import type { RunScope } from './run-scope'
import { assertMayLeave, assertSingleUse } from './strategy-rules'
import { watchersAfter } from './watch'
import { newWatchToken, type WatchToken } from './watch-token'

/** All that is decided about a pause before anything is stored or sent. */
export interface PausePlan extends WfPauseOptions {
  readonly target: NamedStrategy
  readonly outlet: WfOutlet
  readonly request: WfOutletRequest
  readonly next: WfState
  /** How the browser of the caller is to be known again, if it is. */
  readonly mark: BrowserMark | undefined
  /** The token that the caller has, where it lives on. */
  readonly keptRaw: string | undefined
  /** By which the caller can see what becomes of it, where it goes to someone else. */
  readonly watch: WatchToken | undefined
  /** What can be typed in place of the link, where the caller watches it. */
  readonly code: string | undefined
  /** What the outlet answers is not for the caller, who must not tell this pause from another. */
  readonly isHidden: true | undefined
}

/** A run that has come to a pause. */
export interface PausingRun {
  readonly scope: RunScope
  readonly run: OpenRun
  readonly output: WfRunOutput
  /** What the caller's browser is known by, if it has shown anything. */
  readonly browser: string | undefined
}

/** @throws WfError `WF_CONFIG` when the step asks for what the configuration does not have */
export function planPause(
  config: RunConfig,
  deps: WfTriggerDeps,
  { scope, run, output, browser }: PausingRun,
): PausePlan {
  const asked = toOutletRequest(output)
  const outlet = findOutlet(scope, asked.outlet)
  const audience = outlet.tokenDelivery ?? 'caller'
  const { flow, pause: former } = run.notes
  const isAnonymous = audience === 'caller' && flow.startedBy === undefined
  const fallbackTtl = isAnonymous ? config.anonymousTtlMs : undefined
  if (audience === 'caller' && run.isUnasked) throw new NeedsRequest()
  if (audience === 'caller' && run.isHidden) throw asksWhoIsUnknown()
  const target = scope.registry.named(scope.strategyName)
  if (target.name !== run.strategyName) {
    assertMayLeave(scope.registry.named(run.strategyName), target)
  }
  const isForCaller = audience === 'caller' && target.name === run.strategyName
  const hasForm =
    asked.form !== undefined ||
    former?.form !== undefined ||
    asked.panel !== undefined ||
    scope.panel !== undefined
  const forms = hasForm ? formsAt(output.state, deps) : undefined
  const request = withoutOurs(asked)
  const keptRaw = isForCaller && asksAgain(request, target, run, scope, forms) ? run.raw : undefined
  // With one handle for all pages of a caller, an older page can be told where the flow is now.
  const shown =
    target.strategy.keepsHandle && audience === 'caller' && outlet.isRepeatable
      ? contentOf(request)
      : undefined
  const isBound = audience === 'out-of-band' && isForSameBrowser(request)
  // Nobody watches what goes on by itself, and so nobody could type it.
  const code = run.isUnasked ? undefined : codeFor(config, audience, request)
  const mark = shown || isBound || code ? browserMark(browser) : undefined
  const isWatched = audience === 'out-of-band' && config.ledger && request.watch !== false
  const watch = isWatched ? newWatchToken() : undefined
  const fresh: WfPause = {
    strategy: target.name,
    outlet: outlet.name,
    outOfBand: audience === 'out-of-band' ? true : undefined,
    shown,
    holder: shown && mark?.hash,
    browser: audience === 'caller' ? former?.browser : isBound ? mark?.hash : undefined,
    form: audience === 'out-of-band' ? pausedForm(asked, forms) : undefined,
    watch: watch?.hash,
    recipient: audience === 'caller' ? former?.recipient : recipientOf(request, target),
    fresh: audience === 'caller' ? former?.fresh : request.fresh === false ? false : undefined,
  }
  if (asked.panel) {
    if (audience === 'caller') throw notForCallers(outlet)
    Object.assign(fresh, {
      panel: panelFor(config, asked.panel, { request: asked, target, forms }),
    })
  }
  // A link that is asked again by is still the link that it was.
  const isKeptLink = keptRaw !== undefined && former?.outOfBand
  const pause = isKeptLink ? { ...former, problem: undefined } : fresh
  const next = nextState(deps, run, output, pause)
  if (audience === 'out-of-band') {
    assertSingleUse(target, outlet)
    // The token that led here must die with this pause, so it must be one that can.
    if (!run.isNew) assertSingleUse(scope.registry.named(run.strategyName), outlet)
  }
  const now = config.clock.now()
  const description = deps.describe?.(next.schemaId)
  const deadline = deadlineOf(asked, { target, next, description, now })
  const { ttl, atMost } = lifetimeOf(config, flow, output.expires)
  const each = asked.panel && eachOf(config, asked.panel, target, next, request)
  const message = each ? undefined : { outlet: outlet.name, request, code }
  // Written out: on Node 20 a spread that is followed or preceded by other keys costs as much as a step.
  return {
    target,
    outlet,
    request,
    audience,
    message,
    each,
    next,
    mark,
    keptRaw,
    watch,
    code,
    isHidden: run.isHidden,
    ttl,
    atMost,
    fallbackTtl,
    deadline,
  }
}

/** The messages to all who are asked. */
function eachOf(
  config: RunConfig,
  { people }: WfPanelRequest,
  target: NamedStrategy,
  next: WfState,
  request: WfOutletRequest,
): readonly WfSeatMessage[] {
  return panelIn(notesOf(next)?.pause)!.seats.map((seat, index) =>
    // What looks secret is in the message, and not in the state.
    seatMessage(config, target, next, seat, request, people[index]?.context),
  )
}

function notForCallers({ name }: WfOutlet): WfError {
  return new WfError(
    'WF_CONFIG',
    `outletEach() asks other people, and the outlet "${name}" answers the caller.`,
  )
}

/** The state that waits, with what is noted of it. */
export function nextState(
  deps: WfTriggerDeps,
  { notes, claim }: OpenRun,
  { state }: WfRunOutput,
  pause: WfPause,
): WfState {
  const { schemaId, indexes, context } = state
  const former = notes.pause
  const seq = notes.flow.seq + 1
  const isLeft = former?.watch !== undefined && former.watch !== pause.watch
  const flow = isLeft
    ? { ...notes.flow, seq, watched: watchersAfter(notes.flow, former) }
    : { ...notes.flow, seq }
  const position = positionAt(deps.describe?.(schemaId), indexes)
  return withNotes(
    { schemaId, indexes: [...indexes], context },
    { flow, pause, position },
    claim.state.meta,
  )
}

/** Whether a step asks the same again, and means the token that its caller has to live on. */
function asksAgain(
  { keepToken, payload }: WfOutletRequest,
  { strategy }: NamedStrategy,
  { claim, notes }: OpenRun,
  { stepsRun, panel }: RunScope,
  forms: readonly WfStepForm[] = [],
): boolean {
  if (!strategy.guarantees?.stays || !claim.stay) return false
  const former = panel?.current?.seat.form ?? notes.pause?.form
  // A link is used by an answer that its form has taken, and so has the step.
  const isSameForm = forms.some(({ id, schema }) => id === former?.id && schema === payload)
  if (keepToken !== true && !isSameForm) return false
  // The first step that runs is the one that had paused. In a loop it may run again, and ask for
  // something else: an answer that led there was accepted.
  return stepsRun === 1
}

function contentOf({ payload, context }: WfOutletRequest) {
  return { payload, context }
}

/** The code that goes beside a link, where the step asks for one. */
function codeFor(
  { ledger }: RunConfig,
  audience: WfPauseOptions['audience'],
  { code, watch }: WfOutletRequest,
): string | undefined {
  if (!code) return undefined
  if (audience === 'out-of-band' && ledger && watch !== false) return newCode()
  throw new WfError(
    'WF_CONFIG',
    'A code is for a pause that goes to someone else and can be watched: it needs a ledger, and no watch: false.',
  )
}

function findOutlet({ outlets }: RunScope, name: string): WfOutlet {
  const outlet = outlets.get(name)
  if (outlet) return outlet
  const names = [...outlets.keys()].join(', ')
  throw new WfError('WF_CONFIG', `There is no outlet "${name}"; there is: ${names}.`)
}

/** How long the pause may last: as the step says, and never beyond the end of the flow. */
function lifetimeOf(
  { clock, maxLifetime }: RunConfig,
  { startedAt }: WfFlow,
  expires: number | undefined,
): Pick<WfPauseOptions, 'ttl' | 'atMost'> {
  if (expires !== undefined && !Number.isFinite(expires)) {
    throw new WfError('WF_CONFIG', 'A pause expires at a number of milliseconds since the epoch.')
  }
  const now = clock.now()
  return {
    ttl: expires === undefined ? undefined : expires - now,
    atMost: maxLifetime === undefined ? undefined : startedAt + maxLifetime - now,
  }
}
