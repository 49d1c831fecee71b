/**
 * Starts `count` operations at once and waits for all of them. A failure of one is thrown.
 *
 * @example
 * ```ts
 * import { race } from '@atscript/moost-wf/testing'
 *
 * const results = await race(100, async index => index)
 * ```
 */
export function race<R>(count: number, operation: (index: number) => Promise<R>): Promise<R[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => operation(index)))
}
