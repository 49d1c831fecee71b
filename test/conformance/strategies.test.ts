import { randomBytes } from 'node:crypto'
import {
  createJoseCipher,
  createNodeCipher,
  EncapsulatedStateStrategy,
  type EncapsulatedStateStrategyOptions,
  HandleStateStrategy,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
import { completeStrategy } from '../../src/strategies/registry/complete-strategy'

function openHandle(options: { stable?: boolean } = {}) {
  const clock = new FakeClock()
  const store = new WfStateStoreMemory({ clock })
  return { clock, strategy: new HandleStateStrategy({ store, ...options }) }
}

function openEncapsulated(options: Partial<EncapsulatedStateStrategyOptions> = {}) {
  const clock = new FakeClock()
  return {
    clock,
    strategy: new EncapsulatedStateStrategy({ secret: randomBytes(32), clock, ...options }),
  }
}

function openGuarded(options: Partial<EncapsulatedStateStrategyOptions> = {}) {
  const clock = new FakeClock()
  const replay = new WfLedgerMemory({ clock })
  return {
    clock,
    strategy: new EncapsulatedStateStrategy({ secret: randomBytes(32), clock, replay, ...options }),
  }
}

const lacks = {
  singleUse: 'without a replay guard the token is the state; there is nothing to burn',
}

describeStateStrategy({ name: 'handle', open: () => openHandle() })

describeStateStrategy({ name: 'handle, stable', open: () => openHandle({ stable: true }) })

describeStateStrategy({
  name: 'handle, through the public three methods alone',
  open: () => {
    const { clock, strategy } = openHandle()
    const { persist, retrieve, consume } = strategy
    const bare = {
      persist: persist.bind(strategy),
      retrieve: retrieve.bind(strategy),
      consume: consume.bind(strategy),
    }
    return { clock, strategy: completeStrategy(bare) }
  },
})

for (const [engine, cipher] of Object.entries({ node: createNodeCipher, jose: createJoseCipher })) {
  describeStateStrategy({
    name: `encapsulated, ${engine}`,
    open: () => openEncapsulated({ cipher }),
    lacks,
  })

  describeStateStrategy({
    name: `encapsulated with a replay guard, ${engine}`,
    open: () => openGuarded({ cipher }),
  })

  describeStateStrategy({
    name: `encapsulated with a replay guard and compression, ${engine}`,
    open: () => openGuarded({ cipher, compress: true }),
  })
}
