import { isRecord, jsonCopyWith, notesOf, type WfState } from '../../state'
import { readTimer, type TimerNote } from './timer-note'

const KEY = 'durable'

/** What a durable run notes in its state, which nobody else sees. */
export interface RunNote {
  /** The number of the event with which its last pause began: links of that pause are alive. */
  readonly pause?: number | undefined
  /**
   * Of a pause that asks several people: the number of the event with which the live links of each part were made.
   * What is not in it has none.
   */
  readonly seats?: Readonly<Record<string, number>> | undefined
  /** How many steps were completed since. */
  readonly stepsDone?: number | undefined
  /** It has a key, and whoever asks for it has not been told anything yet. */
  readonly isReserved?: true | undefined
  /** Whoever went on with it has let go of it here, because the time for that was over. */
  readonly isHandedOn?: boolean | undefined
  /** Until when its pause waits. */
  readonly timer?: TimerNote | undefined
  /** When it goes on by itself. */
  readonly wakeAt?: number | undefined
  /** When it is to be looked at, because its links may have expired long enough ago. */
  readonly giveUpAt?: number | undefined
}

export function noteOf({ meta }: WfState): RunNote {
  const note = meta?.[KEY]
  if (!isRecord(note)) return {}
  const isReserved = note.isReserved === true || undefined
  const isHandedOn = note.isHandedOn === true || undefined
  return {
    pause: numberOf(note.pause),
    seats: seatsOf(note.seats),
    stepsDone: numberOf(note.stepsDone),
    isReserved,
    isHandedOn,
    timer: readTimer(note.timer),
    wakeAt: numberOf(note.wakeAt),
    giveUpAt: numberOf(note.giveUpAt),
  }
}

function seatsOf(value: unknown): RunNote['seats'] {
  const isSeats = isRecord(value) && Object.values(value).every(made => typeof made === 'number')
  return isSeats ? (value as RunNote['seats']) : undefined
}

/** Stored content is not trusted. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Whether a state stands behind a completed step, and waits for no answer. */
export function isBetweenSteps(state: WfState): boolean {
  return notesOf(state)?.position?.after !== undefined
}

/** The step at which a state waits, unless it stands behind one. */
export function stepOf(state: WfState): string | undefined {
  return notesOf(state)?.position?.stepId
}

export function withRunNote(state: WfState, note: RunNote): WfState {
  return jsonCopyWith(state, Object.assign({}, state.meta, { [KEY]: note }))
}

export function withoutRunNote(state: WfState): WfState {
  const { meta = {} } = state
  const keys = Object.keys(meta).filter(key => key !== KEY)
  if (keys.length === 0) return jsonCopyWith(state, undefined)
  const rest: Record<string, unknown> = {}
  for (const key of keys) rest[key] = meta[key]
  return jsonCopyWith(state, rest)
}
