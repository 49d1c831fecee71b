import { useHeaders } from '@wooksjs/event-http'
import { setStatus } from '../answer/answer-headers'
import { HttpRejection } from '../http-rejection'
import { readBody } from '../read/read-body'
import { runSecret } from './run-secret'

const MOST_BYTES = 10_000
const NOT_FOUND = { error: 'not found' }

/** What goes on with a run: what `createWfRuns` gives. */
export interface WfRunExecutor {
  execute(
    flowId: string,
    options?: { readonly budgetMs?: number | undefined },
  ): Promise<{ readonly done: boolean }>
}

/** Who may have runs go on. */
export interface WfRunRequestOptions {
  /** At least 32 characters, sent as `Authorization: Bearer …`. Keep one object for all requests. */
  readonly secret: string
  /** For how many milliseconds a run goes on in one request. @default 50 seconds */
  readonly budgetMs?: number | undefined
}

const secrets = new WeakMap<WfRunRequestOptions, ReturnType<typeof runSecret>>()

/**
 * Goes on with a run, for the consumer of a queue: it posts `{ flowId }`, and sends the message again while the
 * answer is not `{ done: true }`. Without the secret every request is answered alike, whatever is in it.
 *
 * @throws WfError `WF_CONFIG` for a secret that is missing or short; everything else is an answer
 *
 * @example
 * ```ts
 * import { handleRunRequest, type WfRuns } from '@atscript/moost-wf'
 *
 * const door = { secret: process.env.WF_QUEUE_SECRET ?? '' }
 *
 * export const execute = (runs: WfRuns) => handleRunRequest(runs, door)
 * ```
 */
export async function handleRunRequest(
  runs: WfRunExecutor,
  options: WfRunRequestOptions,
): Promise<unknown> {
  const isKnown = secrets.get(options) ?? runSecret(options.secret)
  secrets.set(options, isKnown)
  if (!(await isKnown(useHeaders().authorization))) return answer(404, NOT_FOUND)
  try {
    const { fields } = await readBody(MOST_BYTES)
    const { flowId } = fields
    if (typeof flowId !== 'string') return answer(400, { error: 'flowId is missing' })
    const { done } = await runs.execute(flowId, { budgetMs: options.budgetMs })
    return answer(200, { done })
  } catch (error) {
    if (!(error instanceof HttpRejection)) throw error
    return answer(error.status, { error: error.message })
  }
}

function answer(status: number, body: object): object {
  setStatus(status)
  return body
}
