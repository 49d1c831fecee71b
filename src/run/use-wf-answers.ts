import { judgePanel, stanceOf, type WfPanelOutcome, type WfSeat, type WfSeatAnswer } from '../state'
import type { PanelTurn } from './panel-turn'
import { findRunScope } from './run-scope'

/** What one of several people has answered. */
export interface WfAnswer<Input = unknown> {
  /** Their part, as `outletEach()` names it. */
  readonly id: string
  /** The address that the link went to by which it came. */
  readonly to: string
  /**
   * Who has proved to be there: by the `actor` of the endpoint, or as the address at which they have got a code;
   * `undefined` for whoever had the link.
   */
  readonly by?: string | undefined
  readonly action?: string | undefined
  readonly input?: Input | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** How it counts. One that does neither has not used its link. */
  readonly stance?: 'for' | 'against' | undefined
}

/** What several people have said so far. */
export interface WfAnswers<Input = unknown> {
  /** `impossible`: as many as are needed cannot agree any more. `open` also before anybody was asked. */
  readonly outcome: WfPanelOutcome
  /** Whether it is any other than `open`. */
  readonly isDecided: boolean
  readonly agreed: number
  readonly refused: number
  readonly needed: number
  /** The ones that count, in the order in which people were asked. */
  readonly all: readonly WfAnswer<Input>[]
  /** Those who have not answered. */
  readonly missing: readonly Pick<WfAnswer, 'id' | 'to'>[]
  /** The one by which the step runs; none where nobody has answered in time. */
  readonly current?: WfAnswer<Input> | undefined
}

const NOBODY: WfAnswers<never> = {
  outcome: 'open',
  isDecided: false,
  agreed: 0,
  refused: 0,
  needed: 0,
  all: [],
  missing: [],
}

/**
 * What the people have answered whom a step has asked by `outletEach()`: at that step, and at the one that its
 * deadline leads to. Elsewhere nobody has said anything.
 *
 * @example
 * ```ts
 * import { useWfAnswers } from '@atscript/moost-wf'
 *
 * export function comments(): string[] {
 *   const { all } = useWfAnswers<{ comment?: string }>()
 *   return all.map(({ by, to, input }) => `${by ?? to}: ${input?.comment ?? ''}`)
 * }
 * ```
 */
export function useWfAnswers<Input = unknown>(): WfAnswers<Input> {
  const { panel, stepsRun } = findRunScope() ?? {}
  // The steps behind it may ask others, or the same people for something else.
  return panel && stepsRun === 0 ? answersIn<Input>(panel) : NOBODY
}

function answersIn<Input>({ panel, current }: PanelTurn): WfAnswers<Input> {
  const { rule, seats } = panel
  const toAnswer = ({ id, recipient }: WfSeat, answer: WfSeatAnswer): WfAnswer<Input> => ({
    id,
    to: recipient.target,
    by: answer.by,
    action: answer.action,
    input: answer.input as Input | undefined,
    at: answer.at,
    stance: stanceOf(rule, answer.action),
  })
  const judged = judgePanel(panel)
  return {
    ...judged,
    isDecided: judged.outcome !== 'open',
    all: seats.flatMap(seat => (seat.answer ? [toAnswer(seat, seat.answer)] : [])),
    missing: seats
      .filter(({ answer }) => !answer)
      .map(({ id, recipient }) => ({ id, to: recipient.target })),
    current: current && toAnswer(current.seat, current.answer),
  }
}
