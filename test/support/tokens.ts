import { randomBytes } from 'node:crypto'
import { EncapsulatedStateStrategy, type WfState } from '@atscript/moost-wf'
import type { EncapsulatedStateStrategyOptions } from '@atscript/moost-wf/strategies'
import { FakeClock } from '@atscript/moost-wf/testing'

export const secret = randomBytes(32)
export const clock = new FakeClock()
export const state: WfState = {
  schemaId: 'auth/login',
  indexes: [1],
  context: { user: 'ada', tries: 2 },
}

/** A strategy with the secret and the clock from here, unless it is told otherwise. */
export function build(options: Partial<EncapsulatedStateStrategyOptions> = {}) {
  return new EncapsulatedStateStrategy({ secret, clock, ...options })
}
