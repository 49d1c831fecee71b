import {
  notesOf,
  seatOf,
  type WfFormAnswer,
  type WfPausedForm,
  type WfPeek,
  type WfReadAnswer,
  type WfState,
  type WfStepForm,
} from '../state'
import { askedPanelOf } from './asked-panel'
import type { WfTriggerDeps } from './deps'

/** A form that a paused flow will ask for. */
export interface AskedForm {
  readonly form: WfStepForm
  /** What its pause has said about it. */
  readonly noted: WfPausedForm
}

/** A form, and what is seen with it. */
export interface ShownForm {
  readonly form: WfStepForm
  readonly context: Readonly<Record<string, unknown>>
  /** More of the context is shown to whoever asks for it. */
  readonly hidesContext: boolean
}

/** A flow that waits for an answer to its form, and has not got one. */
export interface UnansweredForm extends AskedForm {
  readonly found: WfPeek
  /** The state at the place where this build goes on with it. */
  readonly state: WfState
  /** What is said about what was answered. */
  readonly sentences: Readonly<Record<string, unknown>>
}

/**
 * The form that a state waits for, as this build has it; `undefined` where its pause has named none.
 *
 * @param state at the place where this build goes on with it
 * @param seat whose part it is, where several people are asked
 */
export function askedFormOf(
  state: WfState,
  deps: Pick<WfTriggerDeps, 'describe'>,
  seat?: string,
): AskedForm | undefined {
  const pause = notesOf(state)?.pause
  const panel = askedPanelOf(pause)
  const noted = panel ? seatOf(panel, seat)?.form : pause?.form
  if (!noted) return undefined
  const form = find(formsAt(state, deps) ?? [], noted)
  return form && { form, noted }
}

/** The forms that the step declares at which a state stands; `undefined` for an app that tells of none. */
export function formsAt(
  { schemaId, indexes }: Pick<WfState, 'schemaId' | 'indexes'>,
  deps: Pick<WfTriggerDeps, 'describe'>,
): readonly WfStepForm[] | undefined {
  const description = deps.describe?.(schemaId)
  return description?.formsOf?.(description.stepIdAt(indexes) ?? '')
}

/** By its name, whatever a deploy has made of it; the only one of a step may have got another name. */
function find(forms: readonly WfStepForm[], noted: WfPausedForm): WfStepForm | undefined {
  const named = forms.filter(({ id }) => id === noted.id)
  if (named.length > 1) return named.find(({ digest }) => digest === noted.digest)
  return named[0] ?? (forms.length === 1 ? forms[0] : undefined)
}

/** Reads an answer to a form: what the step gets, or what the form is shown with again. */
export function readAnswer({ form, noted }: AskedForm, answer: WfFormAnswer): WfReadAnswer {
  const isNothing = answer.input === undefined && answer.action === undefined
  return isNothing ? { sentences: {} } : form.read(answer, noted.digest)
}
