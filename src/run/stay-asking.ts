import { WfError } from '../errors'
import { HandOnRequest, type WfPanelRequest } from '../outlets'
import {
  handedOnSeat,
  judgePanel,
  positionAt,
  seatOf,
  type WfPanel,
  type WfState,
  type WfStayOptions,
  withNotes,
} from '../state'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { PanelTurn } from './panel-turn'
import { panelFor, seatMessage } from './panel-request'
import type { PausingRun } from './plan-pause'
import { formsAt } from './asked-form'
import type { RunConfig } from './run-config'

/** A pause that goes on asking several people. */
export interface StayPlan {
  readonly next: WfState
  readonly links: WfStayOptions
  /** Whoever has answered can use their link again. */
  readonly isSpent: boolean
  /** Of those who are asked from now on, enough have answered before: the step has not been told yet. */
  readonly decided?: PanelTurn | undefined
}

/** What is to be stored where an answer is only noted. */
export function planNoted({ claim, notes }: OpenRun, { panel }: PanelTurn): StayPlan {
  const { flow, pause } = notes
  const counted = { ...flow, seq: flow.seq + 1 }
  const next = withNotes(claim.state, { ...notes, flow: counted, pause: { ...pause, panel } })
  return { next, links: {}, isSpent: !panel.canChange }
}

/**
 * What is to be stored for a step that goes on asking the same people, others as well, or somebody in place of
 * whoever has answered; nothing if it begins another pause.
 *
 * @throws WfError `WF_CONFIG` for a part that nobody has
 */
export function planStay(
  config: RunConfig,
  deps: WfTriggerDeps,
  { scope, run, output }: PausingRun,
): StayPlan | undefined {
  const asked = output.inputRequired
  const { panel: turn } = scope
  const isHandedOn = asked instanceof HandOnRequest
  const request = isHandedOn ? undefined : panelRequestOf(asked)
  const mayStay = turn?.current !== undefined && scope.stepsRun === 1
  if (isHandedOn && (!mayStay || turn.panel.isOver)) throw nothingToHandOn()
  if (!mayStay || !(isHandedOn || request) || scope.strategyName !== run.strategyName) {
    return undefined
  }
  if (!isHandedOn && judgePanel(turn.panel).outcome !== 'open') return undefined
  const target = scope.registry.named(run.strategyName)
  const forms = formsAt(output.state, deps)
  const panel = isHandedOn
    ? withHandedOn(turn, asked)
    : panelFor(config, request!.panel, { request: request!, target, forms }, turn.panel)
  const { notes, claim } = run
  const { schemaId, indexes, context } = output.state
  const position = positionAt(deps.describe?.(schemaId), indexes)
  const flow = { ...notes.flow, seq: notes.flow.seq + 1 }
  const pause = { ...notes.pause, panel, problem: undefined }
  const state = { schemaId, indexes: [...indexes], context }
  const next = withNotes(state, { flow, pause, position }, claim.state.meta)
  const fresh = panel.seats.filter(seat => isNew(seat, turn.panel))
  const { fresh: mayBeFresh } = notes.pause ?? {}
  const each = fresh.map(seat => {
    const { outlet } = seat.recipient
    const told = request?.panel.people.find(({ id }) => id === seat.id)?.context
    return seatMessage(config, target, next, seat, { outlet, fresh: mayBeFresh }, told)
  })
  const ended = turn.panel.seats.filter(({ id }) => !seatOf(panel, id)).map(({ id }) => id)
  const reassigned = isHandedOn ? reassignedOf(turn, asked) : undefined
  const decided = judgePanel(panel).outcome === 'open' ? undefined : { ...turn, panel }
  return { next, links: { each, ended, reassigned }, isSpent: isSpent(turn, panel), decided }
}

/** Who has a part that nobody had, or that somebody else had. */
function isNew(seat: WfPanel['seats'][number], former: WfPanel): boolean {
  return seatOf(former, seat.id)?.recipient.target !== seat.recipient.target
}

/** Whether whoever has answered now has nothing left to answer. */
function isSpent({ current }: PanelTurn, panel: WfPanel): boolean {
  const seat = seatOf(panel, current?.seat.id)
  if (!seat || seat.recipient.target !== current?.seat.recipient.target) return true
  return seat.answer !== undefined && !panel.canChange
}

function withHandedOn(
  { panel, current }: PanelTurn,
  { to, user = to, codeTo }: HandOnRequest,
): WfPanel {
  const { id } = current!.seat
  const seats = panel.seats.map(seat =>
    seat.id === id ? handedOnSeat(seat, { target: to, user, codeTo }) : seat,
  )
  return { ...panel, seats }
}

function reassignedOf({ current }: PanelTurn, { to, reason }: HandOnRequest) {
  const { id, recipient } = current!.seat
  return { seat: id, from: recipient.target, to, ...(reason !== undefined && { reason }) }
}

function panelRequestOf(asked: unknown) {
  const request = asked as
    | { readonly outlet?: unknown; readonly panel?: WfPanelRequest }
    | undefined
  if (typeof request?.outlet !== 'string' || !request.panel) return undefined
  return { ...request, outlet: request.outlet, panel: request.panel }
}

function nothingToHandOn(): WfError {
  return new WfError(
    'WF_CONFIG',
    'handOn() gives on the part of whoever answers now, at a step that has asked them by outletEach().',
  )
}
