/**
 * A value, or the promise of one. What is there already is not made to wait: every promise costs, and on
 * Node a request over a store in memory needs hardly any.
 */
export type Awaitable<T> = T | Promise<T>

/** Whether a value is still on its way. Not only promises of this realm are: what a user returns may be a query. */
export function isAwaited<T>(value: Awaitable<T>): value is Promise<T> {
  if (value instanceof Promise) return true
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Goes on with a value that may still be on its way. */
export function whenKnown<V, R>(
  value: Awaitable<V>,
  next: (value: V) => Awaitable<R>,
): Awaitable<R> {
  return isAwaited(value) ? Promise.resolve(value).then(next) : next(value)
}
