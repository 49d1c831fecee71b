import { AsyncLocalStorage } from 'node:async_hooks'
import { type Awaitable, isAwaited } from '../state'
import type { RunScope } from './run-scope'

// The event is that of the whole run. What a step has begun and not waited for is still of that step when
// another one runs.
const places = new AsyncLocalStorage<object>()

/** Runs a step, as the one that runs in this scope. */
export function inStep<R>(scope: RunScope, step: () => Awaitable<R>): Awaitable<R> {
  const place = {}
  scope.place = place
  const leave = () => {
    if (scope.place === place) scope.place = null
  }
  let running: Awaitable<R>
  try {
    running = places.run(place, step)
  } catch (error) {
    leave()
    throw error
  }
  if (isAwaited(running)) return Promise.resolve(running).finally(leave)
  leave()
  return running
}

/** Whether whoever asks is the step that runs, or a part of it. An app that does not tell of its steps is believed. */
export function isOfRunningStep({ place }: Pick<RunScope, 'place'>): boolean {
  return place === undefined || (place !== null && places.getStore() === place)
}
