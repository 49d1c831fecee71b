/**
 * A value, or the promise of one. What is there already is not made to wait: every promise costs, and on
 * Node a request over a store in memory needs hardly any.
 */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value that may still be on its way. */
export function whenKnown<V, R>(
  value: Awaitable<V>,
  next: (value: V) => Awaitable<R>,
): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
