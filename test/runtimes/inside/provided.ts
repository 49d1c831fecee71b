import type { ProvidedContext } from 'vitest'

let values: ProvidedContext | undefined

/** What the driver of the run has handed over to this runtime. */
export function provided(): ProvidedContext {
  if (!values) throw new Error('Nothing was provided yet.')
  return values
}

export function provide(given: ProvidedContext): void {
  values = given
}
