import { extractPassContext, serializeFormSchema, WfError, type WfRuns } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { DecisionForm } from '../../schemas/ExpenseForms.as'
import { Sessions } from '../accounts/sessions'
import { partOf, waitingFor } from './open-expenses'

/** Decisions of whoever is signed in and is asked, without the mail. */
export class OwnDecisions {
  constructor(
    private readonly sessions: Sessions,
    private readonly runs: () => WfRuns,
  ) {}

  /**
   * The form, as the link in the mail shows it. Nothing is used.
   *
   * @throws HttpError 401, 404
   */
  async form(id: string) {
    const { expense } = await this.#find(id)
    const payload = serializeFormSchema(DecisionForm)
    const context = extractPassContext(DecisionForm, expense)
    return { inputRequired: { payload, transport: 'http', context } }
  }

  /**
   * A token to answer with. It takes the place of the one in the mail to the same person: there is one at a time, so
   * that one answer counts. The links of the others live on.
   *
   * @throws HttpError 401, 404, and 409 when the flow goes on at this moment
   */
  async token(id: string): Promise<string> {
    const { run, email } = await this.#find(id)
    const person = partOf(run, email)?.id
    let found: string | undefined
    try {
      await this.runs().reissue(run.flowId, {
        person,
        actor: email,
        deliver: ({ token }) => {
          found = token
        },
      })
    } catch (error) {
      if (error instanceof WfError && error.code === 'WF_CONFLICT') throw isMoving()
      throw error
    }
    if (found === undefined) throw isNotWaiting()
    return found
  }

  async #find(id: string) {
    const { email } = await this.sessions.signedIn()
    const [found] = await waitingFor(this.runs(), email, { expenseId: id })
    if (!found) throw isNotWaiting()
    return { ...found, email }
  }
}

const isNotWaiting = () => new HttpError(404, 'This does not wait for your decision any more.')
const isMoving = () => new HttpError(409, 'Somebody else is at it right now. Please try again.')
