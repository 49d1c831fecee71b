import { WfError } from '../errors'
import { isLocalPath } from '../run'
import { isRecord } from '../state'

type Fields = Readonly<Record<string, unknown>>

const LEVELS = ['info', 'success', 'warn', 'error']
const BEHAVIORS = ['now', 'cancel', undefined]

/** @throws WfError `WF_CONFIG` unless it is a text, or `{ level, text }` */
export function checkMessage(message: unknown): void {
  if (message === undefined || typeof message === 'string') return
  const { level, text } = recordOf(message, 'message is a text or { level, text }')
  check(LEVELS.includes(level as string), 'level is info, success, warn or error')
  checkText(text, 'text')
}

/**
 * Wherever it leads, and whichever button does, it is a path of this site: what a step passes on may
 * have come from a client.
 *
 * @throws WfError `WF_CONFIG` unless it is such a path, or `{ trigger, … }`
 */
export function checkNext(next: unknown): void {
  if (next === undefined) return
  if (typeof next === 'string') return checkTarget(next)
  const { trigger, ...others } = recordOf(next, 'next is a path of this site or { trigger, … }')
  switch (trigger) {
    case 'immediate':
      return checkAction(others.action)
    case 'auto':
      return checkAuto(others)
    case 'manual':
      return checkManual(others)
    default:
      throw wrongEnd('trigger is immediate, auto or manual')
  }
}

function checkAuto({ timeoutMs, action, skipButton }: Fields): void {
  check(
    Number.isFinite(timeoutMs) && (timeoutMs as number) >= 0,
    'timeoutMs is a number of milliseconds',
  )
  checkAction(action)
  if (skipButton === undefined) return
  const { label, behavior } = recordOf(skipButton, 'skipButton is { label, behavior? }')
  checkText(label, 'label')
  check(BEHAVIORS.includes(behavior as string), 'behavior is now or cancel')
}

function checkManual({ primary, options = [] }: Fields): void {
  if (primary !== undefined) checkButton(primary, 'primary')
  if (!Array.isArray(options)) throw wrongEnd('options is a list of { label, action }')
  for (const option of options) checkButton(option, 'each of options')
}

function checkButton(button: unknown, name: string): void {
  const { label, action } = recordOf(button, `${name} is { label, action }`)
  checkText(label, 'label')
  checkAction(action)
}

function checkAction(action: unknown): void {
  const { type, target, reason } = recordOf(action, 'action is { type, … }')
  switch (type) {
    case 'redirect':
      checkTarget(target)
      return reason === undefined ? undefined : checkText(reason, 'reason')
    case 'reload':
    case 'dismiss':
      return undefined
    default:
      throw wrongEnd('the type of an action is redirect, reload or dismiss')
  }
}

function checkTarget(target: unknown): void {
  check(isLocalPath(target), 'it leads to a path of this site, such as "/home"')
}

function checkText(text: unknown, name: string): void {
  check(typeof text === 'string', `${name} is a text`)
}

function recordOf(value: unknown, rule: string): Fields {
  if (isRecord(value)) return value
  throw wrongEnd(rule)
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw wrongEnd(rule)
}

/** Never quotes a value: it may have come from a client. */
function wrongEnd(rule: string): WfError {
  return new WfError('WF_CONFIG', `The end of a workflow: ${rule}.`)
}
