import { randomBytes } from 'node:crypto'
import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import {
  createJoseCipher,
  createNodeCipher,
  type EncapsulatedStateStrategyOptions,
} from '@atscript/moost-wf/strategies'
import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
import { completeStrategy } from '../../src/strategies/registry/complete-strategy'
import { WholeStrategy } from '../support/whole-strategy'

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

const runKeys = 'only a durable run is looked for by a key'
const panels = 'only a durable run has several links'
const reissue = 'the token is the state: nobody else has it'
const guardedLacks = {
  stays: 'the token is the state: another state is another token',
  reissue,
  runKeys,
  panels,
}
const lacks = {
  ...guardedLacks,
  singleUse: 'without a replay guard the token is the state; there is nothing to burn',
}

describeStateStrategy({ name: 'handle', open: () => openHandle(), lacks: { runKeys, panels } })

describeStateStrategy({
  name: 'handle, stable',
  open: () => openHandle({ stable: true }),
  lacks: { runKeys, panels },
})

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
    return { clock, strategy: completeStrategy(bare, clock) }
  },
  lacks: {
    stays: 'the public contract has no word for a token that lives on',
    reissue: 'the public contract finds no flow by its id',
    runKeys,
    panels,
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
    lacks: guardedLacks,
  })

  describeStateStrategy({
    name: `encapsulated with a replay guard and compression, ${engine}`,
    open: () => openGuarded({ cipher, compress: true }),
    lacks: guardedLacks,
  })
}

describeStateStrategy({
  name: 'one that lacks next to nothing',
  open: () => {
    const clock = new FakeClock()
    return { clock, strategy: new WholeStrategy(clock) }
  },
  lacks: { panels },
})
