import { WfError } from '../errors'

// What event-core says of a slot that nobody has filled, here that of an HTTP request.
const NO_REQUEST = /^Key "http\./u

/**
 * Does something where there is no HTTP request.
 *
 * @throws WfError `WF_CONFIG` with a sentence for a step that asks for one
 */
export async function withoutRequest<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || !NO_REQUEST.test(error.message)) throw error
    throw new WfError(
      'WF_CONFIG',
      'A step asks for the HTTP request, and this run has none: it was not started by one. Hand what ' +
        'the step needs to the run, as input, context or actor.',
      { cause: error },
    )
  }
}
