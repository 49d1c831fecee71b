import { type WfRunStore, WfRunStoreMemory } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { conformanceEngines } from '../support/databases'
import { RunDatabase } from '../support/run-stores'

// Not a random one: a Worker makes none while it starts.
const secret = '01ab'.repeat(16)

const VARIANTS = {
  durable: {},
  'durable, saved at pauses only': { checkpoint: 'pause' },
} as const

interface OpenedRuns {
  readonly clock: FakeClock
  readonly runs: WfRunStore
}

function describeDurable(open: () => Promise<OpenedRuns>): void {
  for (const [name, options] of Object.entries(VARIANTS)) {
    describeStateStrategy({
      name,
      open: async () => {
        const { clock, runs } = await open()
        return { clock, strategy: new DurableStateStrategy({ runs, secret, ...options }) }
      },
    })
  }
}

describe('in memory', () => {
  describeDurable(async () => {
    const clock = new FakeClock()
    return { clock, runs: new WfRunStoreMemory({ clock, outbox: true }) }
  })
})

describe.each(conformanceEngines())('on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  describeDurable(async () => {
    await database.clear()
    return { clock: database.clock, runs: database.store({ outbox: database.outbox }) }
  })
})
