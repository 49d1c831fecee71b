import { type Awaitable, notesOf, whenKnown, type WfAsker, type WfPeek } from '../state'
import type { Admission } from './admission'
import { askerOf } from './asker'
import { Rejection, rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunSubject } from './run-outcome'
import type { RunRequest, RunStarter } from './run-request'
import { codePlaceOf, type SeatCodeTry, trySeatCode } from './seat-code'
import { WrongCode } from './wrong-code'

/** Finds out who asks by the link of one of several people, and whether they can prove it. */
export class WhoAsks {
  readonly #ledger: RunConfig['ledger']
  readonly #admission: Admission
  readonly #request: Pick<RunRequest, 'token' | 'code'>
  readonly #starter: Pick<RunStarter, 'actor' | 'facts'>
  #tried: SeatCodeTry = {}
  #subject: RunSubject = { wfid: '' }

  constructor(
    { ledger }: Pick<RunConfig, 'ledger'>,
    admission: Admission,
    request: Pick<RunRequest, 'token' | 'code'>,
    starter: Pick<RunStarter, 'actor' | 'facts'>,
  ) {
    this.#ledger = ledger
    this.#admission = admission
    this.#request = request
    this.#starter = starter
  }

  /** Whoever is refused for another reason has not tried a code. */
  readonly identify = async (peek: WfPeek): Promise<void> => {
    const actor = await this.#starter.actor()
    this.#admission.meet({ actor })
    const place = codePlaceOf(peek)
    if (!place || !this.#ledger || this.#admission.admit(peek)?.refusal !== 'code-needed') return
    const { token, code } = this.#request
    this.#subject = { wfid: peek.state.schemaId, flowId: notesOf(peek.state)?.flow.flowId }
    this.#tried = await trySeatCode(this.#ledger, place, String(token?.text), code)
    this.#admission.meet({ actor, provenBy: this.#tried.provenBy })
  }

  /** Whoever is not signed in is known by where they have got their code. */
  readonly asker = (): Awaitable<WfAsker> =>
    whenKnown(askerOf(this.#starter), ({ actor = this.#tried.provenBy, facts }) => ({
      actor,
      facts,
    }))

  /** The answer to whoever needs a code, and has not got it. */
  get rejection(): Rejection {
    const { isWrong, triesLeft } = this.#tried
    const reason = 'code-needed'
    if (!isWrong) return rejectionOf({ reason, triesLeft })
    if (triesLeft! >= 0) return new WrongCode(this.#subject, triesLeft)
    const message = 'Too many wrong codes. Please ask for another one.'
    return new Rejection('WF_TOO_MANY', { reason, message })
  }
}
