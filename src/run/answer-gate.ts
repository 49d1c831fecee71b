import {
  isRetriedLater,
  type WfFormAnswer,
  type WfPeek,
  type WfRefusal,
  type WfState,
} from '../state'
import type { Admission } from './admission'
import { answerToKeep } from './answer-to-keep'
import { askedFormOf, formsAt, readAnswer, type UnansweredForm } from './asked-form'
import type { WfTriggerDeps } from './deps'

/** Judges an answer to a pause before anything is taken: by what may go on, and by the form that is asked. */
export class AnswerGate {
  readonly #admission: Admission
  readonly #deps: Pick<WfTriggerDeps, 'describe'>
  readonly #submit: WfFormAnswer
  readonly #now: number
  #admitted: WfState | undefined
  #answer: WfFormAnswer | undefined
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

  /** What was answered, as the form has read it. */
  get answer(): WfFormAnswer | undefined {
    return this.#answer
  }

  /** The form, if it was not answered as it asks. */
  get unanswered(): UnansweredForm | undefined {
    return this.#unanswered
  }

  readonly admit = (peek: WfPeek): WfRefusal | null => {
    const refused = this.#admission.admit(peek)
    if (refused) return refused
    // It was answered, and taken: whoever comes again has nothing to do.
    if (isRetriedLater(peek, this.#now)) return { refusal: 'retrying', found: peek }
    const { state } = this.#admission.continuationOf(peek.state)
    this.#admitted = state
    const asked = askedFormOf(state, this.#deps)
    const read = asked && readAnswer(asked, this.#submit)
    if (!read) return null
    if ('answer' in read) {
      this.#answer = read.answer
      return null
    }
    this.#unanswered = { ...asked!, found: peek, state, sentences: read.sentences }
    return { refusal: 'unanswered' }
  }

  /** What of the answer may be kept, once it is admitted. */
  readonly keep = (): WfFormAnswer | undefined =>
    this.#admitted &&
    answerToKeep(this.#answer ?? this.#submit, formsAt(this.#admitted, this.#deps))
}
