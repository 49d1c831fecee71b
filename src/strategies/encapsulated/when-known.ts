/**
 * Goes on with a value that may still be on its way. One that is there already is not made to wait:
 * on Node nothing in a token's way does, and every promise costs.
 */
export function whenKnown<V, R>(value: V | Promise<V>, next: (value: V) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
