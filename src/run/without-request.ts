import { WfError } from '../errors'
import { isWithoutRequest } from './needs-request'

/**
 * Does something where there is no HTTP request.
 *
 * @throws WfError `WF_CONFIG` with a sentence for a step that asks for one
 */
export async function withoutRequest<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (!isWithoutRequest(error)) throw error
    throw new WfError(
      'WF_CONFIG',
      'A step asks for the HTTP request, and this run has none: it was not started by one. Hand what ' +
        'the step needs to the run, as input, context, facts or actor.',
      { cause: error },
    )
  }
}
