import type { WfPaused } from '../../src/state'

/** What the delivery of a pause has given back: in tests mostly its token. */
export function delivered<T>(paused: WfPaused<T>): T {
  if (paused.outcome === 'delivered') return paused.delivered
  throw new Error(`The pause was not delivered: ${paused.outcome}.`)
}
