import { type D1Binding, openD1 } from '@atscript/moost-wf/db/d1'
import type { OfferedEngine } from './databases'

/** D1 by its binding. Each database is one of those that were made for it. */
export function d1Engine(bindings: readonly D1Binding[]): OfferedEngine {
  let used = 0
  return {
    name: 'D1',
    lacks: { transactions: 'D1 keeps none open: what belongs together is a commit' },
    create: async () => {
      const binding = bindings[used++]
      if (!binding) throw new Error('There are too few databases of D1.')
      return { url: '', open: options => openD1(binding, options), drop: async () => {} }
    },
  }
}
