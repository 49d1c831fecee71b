import { WfError } from '../errors'

/** Until when a pause waits, and what happens then. */
export interface WfDeadlineOptions {
  /** Milliseconds behind the beginning of the pause. A step that asks again keeps the moment that it has. */
  readonly afterMs?: number | undefined
  /** Milliseconds since the epoch, in place of that. */
  readonly at?: number | undefined
  /** How often the message of the pause goes out again until then, in milliseconds. @default never */
  readonly remindEveryMs?: number | undefined
  /** The step that the run goes on at, or how it ends. */
  readonly onTimeout: 'fail' | 'cancel' | (string & {})
}

/** A deadline of one pause. */
export interface WfDeadline extends Pick<WfDeadlineOptions, 'remindEveryMs' | 'onTimeout'> {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** When the pause begins. */
  readonly since: number
  /** A step that asks again keeps the moment that it has. */
  readonly isKept?: true | undefined
}

const isMoment = (ms: unknown) => Number.isSafeInteger(ms) && (ms as number) > 0

/**
 * @param owner whose options they are, for the sentence
 * @throws WfError `WF_CONFIG`
 */
export function checkDeadline(options: WfDeadlineOptions, owner: string): WfDeadlineOptions {
  const { afterMs, at, remindEveryMs, onTimeout } = options
  const check = (holds: boolean, rule: string) => {
    if (!holds) throw new WfError('WF_CONFIG', `${owner}: ${rule}.`)
  }
  check((afterMs === undefined) !== (at === undefined), 'it has either afterMs or at')
  check(isMoment(afterMs ?? at), 'afterMs and at are whole numbers of milliseconds from 1')
  check(
    remindEveryMs === undefined || isMoment(remindEveryMs),
    'remindEveryMs is a whole number of milliseconds from 1',
  )
  check(
    typeof onTimeout === 'string' && onTimeout !== '',
    "onTimeout is 'fail', 'cancel' or the name of a step",
  )
  return Object.freeze({ afterMs, at, remindEveryMs, onTimeout })
}

/** Whether a deadline goes on at a step. */
export function isStepName(onTimeout: string): boolean {
  return onTimeout !== 'fail' && onTimeout !== 'cancel'
}
