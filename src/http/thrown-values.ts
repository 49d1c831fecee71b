import { isThenable, useControllerContext } from 'moost'

/** An error for whatever was thrown: some code throws texts, or nothing at all. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error('A handler threw something that is no Error.', { cause: thrown })
}

/**
 * Calls the controller's method so that only errors come out of it. Where there are interceptors this
 * tells what the method threw from what an interceptor replied, because Moost throws both.
 */
export function callThrowingErrors(method: PropertyKey, args: unknown[]): unknown {
  const controller = useControllerContext().getController() as Record<PropertyKey, Function>
  try {
    const output: unknown = controller[method]!(...args)
    return isThenable(output) ? output.then(undefined, raise) : output
  } catch (thrown) {
    return raise(thrown)
  }
}

function raise(thrown: unknown): never {
  throw asError(thrown)
}
