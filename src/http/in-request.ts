import { useRequest } from '@wooksjs/event-http'
import { WfError } from '../errors'

/**
 * A composable that says what it lacks where there is no HTTP request, as in a step of a run that goes on by
 * itself.
 *
 * @throws WfError `WF_NEEDS_REQUEST`, when it is called there
 */
export function inRequest<Composable extends (...given: never[]) => unknown>(
  name: string,
  composable: Composable,
): Composable {
  const called = (...given: never[]) => {
    try {
      useRequest()
    } catch (cause) {
      // A durable run knows by the cause that it can wait for whoever brings a request.
      throw new WfError(
        'WF_NEEDS_REQUEST',
        `${name}() needs the HTTP request, and here is none. What a step needs to know of it can be handed to its run as input, context, facts or actor.`,
        { cause },
      )
    }
    return composable(...given)
  }
  return called as Composable
}
