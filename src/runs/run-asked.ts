import {
  judgePanel,
  notesOf,
  panelIn,
  stanceOf,
  type WfPanelOutcome,
  type WfStoredRun,
} from '../state'

/** One of several people whom a run asks. */
export interface WfRunPerson {
  /** Names their part, as `outletEach()` does. */
  readonly id: string
  /** The address of whoever has it now. */
  readonly to: string
  /** Who must be signed in. */
  readonly user?: string | undefined
  /** Their link is worthless without a code. */
  readonly needsCode?: true | undefined
  readonly answeredAt?: number | undefined
  /** Who has answered, if they were signed in or had a code. */
  readonly by?: string | undefined
  readonly action?: string | undefined
  readonly input?: unknown
  readonly stance?: 'for' | 'against' | undefined
}

/** The people whom a run asks at the same time, and where their decision stands. */
export interface WfRunAsked {
  readonly outcome: WfPanelOutcome
  readonly agreed: number
  readonly refused: number
  readonly needed: number
  /** Each can replace their answer until it is decided. */
  readonly canChange: boolean
  readonly people: readonly WfRunPerson[]
}

export function askedOf({ status, state, waitsFor }: WfStoredRun): WfRunAsked | undefined {
  const panel = status === 'paused' && waitsFor === undefined && panelIn(notesOf(state)?.pause)
  if (!panel || panel.isOver) return undefined
  const people = panel.seats.map(({ id, recipient, user, code, answer }): WfRunPerson => {
    const { at: answeredAt, by, action, input } = answer ?? {}
    const stance = answer && stanceOf(panel.rule, action)
    return {
      id,
      to: recipient.target,
      user,
      needsCode: code && true,
      answeredAt,
      by,
      action,
      input,
      stance,
    }
  })
  return { ...judgePanel(panel), canChange: panel.canChange === true, people }
}
