import { extractPassContext, serializeFormSchema, WfError } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { DecisionForm } from '../../schemas/ExpenseForms.as'
import { Sessions } from '../accounts/sessions'
import { Database } from '../database/database'
import { Deciders } from './deciders'
import { waitingFor } from './standing'

/** Decisions of whoever is signed in and is asked, without the mail. */
export class OwnDecisions {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly deciders: Deciders,
  ) {}

  /**
   * The form, as the link in the mail shows it. Nothing is used.
   *
   * @throws HttpError 401, 403, 404
   */
  async form(id: string) {
    const { expense } = await this.#find(id)
    const payload = serializeFormSchema(DecisionForm)
    const context = extractPassContext(DecisionForm, expense)
    return { inputRequired: { payload, transport: 'http', context } }
  }

  /**
   * A token to answer with. It takes the place of the one in the mail: there is one at a time, so that
   * one answer counts.
   *
   * @throws HttpError 401, 403, 404, and 409 when the flow goes on at this moment
   */
  async token(id: string): Promise<string> {
    const { row } = await this.#find(id)
    let token: string | undefined
    try {
      await this.database.wfStore.reissueRow(row.id, row.version, async handle => {
        token = `handle.${handle}`
      })
    } catch (error) {
      if (error instanceof WfError && error.code === 'WF_CONFLICT') throw isMoving()
      throw error
    }
    if (token === undefined) throw isNotWaiting()
    return token
  }

  async #find(id: string) {
    const { email } = await this.sessions.signedIn()
    const waiting = await waitingFor(this.database, email)
    const found = waiting.find(({ expense }) => expense.id === id)
    if (!found) throw isNotWaiting()
    await this.deciders.decider(found.expense)
    return found
  }
}

const isNotWaiting = () => new HttpError(404, 'This does not wait for your decision any more.')
const isMoving = () => new HttpError(409, 'Somebody else is at it right now. Please try again.')
