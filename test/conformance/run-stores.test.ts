import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { describeRunStore, FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { conformanceEngines } from '../support/databases'
import { RunDatabase } from '../support/run-stores'

describeRunStore({
  name: 'memory',
  open: () => {
    const clock = new FakeClock()
    return { clock, store: new WfRunStoreMemory({ clock, outbox: true }) }
  },
})

describe.each(conformanceEngines())('on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  describeRunStore({
    name: 'AsWfRunStore',
    open: () => ({ clock: database.clock, store: database.store({ outbox: database.outbox }) }),
  })
})
