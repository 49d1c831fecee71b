import {
  answeredOf,
  isRetriedLater,
  mayAnswer,
  notesOf,
  seatOf,
  type WfFormAnswer,
  type WfPeek,
  type WfRefusal,
  type WfState,
} from '../state'
import type { Admission } from './admission'
import { answerToKeep } from './answer-to-keep'
import { askedFormOf, formsAt, readAnswer, type UnansweredForm } from './asked-form'
import { askedPanelOf } from './asked-panel'
import type { WfTriggerDeps } from './deps'

/** Judges an answer to a pause before anything is taken: by what may go on, and by the form that is asked. */
export class AnswerGate {
  readonly #admission: Admission
  readonly #deps: Pick<WfTriggerDeps, 'describe'>
  readonly #submit: WfFormAnswer
  readonly #now: number
  #admitted: WfState | undefined
  #seat: string | undefined
  #answer: WfFormAnswer | undefined
  #said: WfFormAnswer | undefined
  #unanswered: UnansweredForm | undefined

  /** @param submit what was sent, with its input unwrapped */
  constructor(
    admission: Admission,
    deps: Pick<WfTriggerDeps, 'describe'>,
    submit: WfFormAnswer,
    now: number,
  ) {
    this.#admission = admission
    this.#deps = deps
    this.#submit = submit
    this.#now = now
  }

  /** Whose link it is, where several people are asked. */
  get seat(): string | undefined {
    return this.#seat
  }

  /** What was answered, as the form has read it. */
  get answer(): WfFormAnswer | undefined {
    return this.#answer
  }

  /** The same as the step gets it, where several people are asked: it is kept until it is decided. */
  get said(): WfFormAnswer | undefined {
    return this.#said
  }

  /** The form, if it was not answered as it asks. */
  get unanswered(): UnansweredForm | undefined {
    return this.#unanswered
  }

  readonly admit = (peek: WfPeek): WfRefusal | null => {
    const refused = this.#admission.admit(peek)
    if (refused) return refused
    // It was answered, and taken: whoever comes again has nothing to do.
    const { seat } = peek
    if (isRetriedLater(peek, this.#now)) {
      // It was answered by one of several people. The others have to come again.
      return { refusal: seat === undefined ? 'retrying' : 'busy', found: peek }
    }
    const { state } = this.#admission.continuationOf(peek.state)
    this.#admitted = state
    this.#seat = seat
    const late = lateFor(state, seat)
    if (late) return { ...late, found: peek }
    const asked = askedFormOf(state, this.#deps, seat)
    const read = asked && readAnswer(asked, this.#submit)
    if (!read) return null
    // What several people answer is kept, and a build may ask for a secret by now.
    if (seat !== undefined && asked.form.isSensitive) {
      return { refusal: 'definition-changed', found: peek }
    }
    if ('answer' in read) {
      this.#answer = read.answer
      if (seat !== undefined) this.#said = { input: read.data, action: read.answer.action }
      return null
    }
    this.#unanswered = { ...asked!, found: peek, state, sentences: read.sentences }
    return { refusal: 'unanswered' }
  }

  /** What of the answer may be kept, once it is admitted. */
  readonly keep = (): WfFormAnswer | undefined =>
    this.#admitted &&
    answerToKeep(this.#said ?? this.#answer ?? this.#submit, formsAt(this.#admitted, this.#deps))
}

/** Whoever has answered is told so, while the others are still asked. */
export function lateFor(
  state: WfState,
  id: string | undefined,
): Omit<WfRefusal, 'found'> | undefined {
  const panel = askedPanelOf(notesOf(state)?.pause)
  if (!panel || mayAnswer(panel, id)) return undefined
  const { form, answer } = seatOf(panel, id) ?? {}
  const answered = form && answer ? answeredOf({ form }, answer.at) : undefined
  return { refusal: 'used', answered }
}
