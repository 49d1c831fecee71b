import { isRecord } from './is-record'
import type { WfPause, WfPausedForm, WfRecipient } from './wf-notes'

/** How an answer counts: `undefined` for one that says neither. */
export type WfStance = 'for' | 'against' | undefined

/** When several people have decided. */
export interface WfPanelRule {
  /** How many must agree. */
  readonly needed: number
  /** The first answer decides, whichever it is. */
  readonly isFirst?: true | undefined
  /** Actions that agree; `submit` is the form without one. */
  readonly agree: readonly string[]
  /** Actions that refuse. */
  readonly refuse: readonly string[]
}

/** What somebody has answered, as the pause keeps it. */
export interface WfSeatAnswer {
  readonly at: number
  /** Who has proved to be there; nobody but whoever has the link, if left out. */
  readonly by?: string | undefined
  readonly action?: string | undefined
  readonly input?: unknown
}

/** How somebody gets the code that their link is worthless without. */
export interface WfSeatCode {
  /** @default the outlet that their link went by */
  readonly outlet?: string | undefined
  /** @default the address that their link went to */
  readonly to?: string | undefined
  /** @default 'code' */
  readonly template?: string | undefined
}

/** The part of one of the people that a pause asks. It may be handed on to somebody else. */
export interface WfSeat {
  /** Names the part, whoever has it. */
  readonly id: string
  /** Who has it now. */
  readonly recipient: WfRecipient
  readonly form: WfPausedForm
  /** Who must be signed in to see the form, and to answer. */
  readonly user?: string | undefined
  /** They must have got a code as well, which is sent when somebody opens the link. */
  readonly code?: WfSeatCode | undefined
  /** That has counted so far. */
  readonly answer?: WfSeatAnswer | undefined
}

/** The people that a pause asks at the same time, and what they have said. */
export interface WfPanel {
  readonly seats: readonly WfSeat[]
  readonly rule: WfPanelRule
  /** The step runs with each answer, not with the one alone that decides. */
  readonly runsEach?: true | undefined
  /** An answer can be replaced until it is decided. */
  readonly canChange?: true | undefined
  /** Each sees with their form what the others have said. */
  readonly showsAnswers?: true | undefined
  /** Who may not answer, whatever link they have. */
  readonly except?: readonly string[] | undefined
  /** The pause has ended without a decision: nobody answers any more. */
  readonly isOver?: true | undefined
}

/** Where a decision stands. `impossible`: as many as are needed cannot agree any more. */
export type WfPanelOutcome = 'open' | 'reached' | 'impossible'

/** The people of a pause. Stored content is not trusted. */
export function panelIn(pause: Pick<WfPause, 'panel'> | undefined): WfPanel | undefined {
  const panel: unknown = pause?.panel
  if (!isRecord(panel) || !Array.isArray(panel.seats) || !isRecord(panel.rule)) return undefined
  const { seats, rule, except = [] } = panel
  const { needed, agree, refuse } = rule
  // By a rule of nothing it would be decided.
  const isRule = Number.isInteger(needed) && (needed as number) > 0
  const areLists = [agree, refuse, except].every(Array.isArray)
  const isWhole = isRule && areLists && seats.every(isSeat) && areDifferent(seats)
  return isWhole ? (panel as unknown as WfPanel) : undefined
}

function isSeat(value: unknown): value is WfSeat {
  if (!isRecord(value) || typeof value.id !== 'string') return false
  const { recipient, form, answer = {}, code = {} } = value
  return [recipient, form, answer, code].every(isRecord)
}

/** One answer must not count for two. */
function areDifferent(seats: readonly WfSeat[]): boolean {
  return new Set(seats.map(({ id }) => id)).size === seats.length
}

export function seatOf({ seats }: WfPanel, id: string | undefined): WfSeat | undefined {
  return id === undefined ? undefined : seats.find(seat => seat.id === id)
}

/** Whose turn it is, by the link of one of several people or by the only one. */
export function recipientAt(
  pause: WfPause | undefined,
  seat: string | undefined,
): WfRecipient | undefined {
  const panel = panelIn(pause)
  return panel ? seatOf(panel, seat)?.recipient : pause?.recipient
}

/** Whether somebody is still asked for their part, or may change what they have said. */
export function mayAnswer(panel: WfPanel, id: string | undefined): boolean {
  const seat = seatOf(panel, id)
  return seat !== undefined && !panel.isOver && (seat.answer === undefined || !!panel.canChange)
}

/** How an answer counts. */
export function stanceOf({ agree, refuse }: WfPanelRule, action = 'submit'): WfStance {
  if (refuse.includes(action)) return 'against'
  return agree.includes(action) ? 'for' : undefined
}

/** What has come of the answers so far. */
export function judgePanel({ seats, rule }: Pick<WfPanel, 'seats' | 'rule'>) {
  const count = (stance: WfStance) =>
    seats.filter(({ answer }) => answer && stanceOf(rule, answer.action) === stance).length
  const [agreed, refused] = [count('for'), count('against')]
  const { needed, isFirst } = rule
  const cannot = isFirst ? refused > 0 : seats.length - refused < needed
  const outcome: WfPanelOutcome = agreed >= needed ? 'reached' : cannot ? 'impossible' : 'open'
  return { outcome, agreed, refused, needed }
}

/** The same people, one of whom has answered, or takes it back. */
export function withAnswerOf(
  panel: WfPanel,
  id: string,
  answer: WfSeatAnswer | undefined,
): WfPanel {
  const seats = panel.seats.map(seat => (seat.id === id ? { ...seat, answer } : seat))
  return { ...panel, seats }
}
