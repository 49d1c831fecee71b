import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
import type { DbSpace } from '@atscript/moost-wf/db'
import { AsWfStore, type WfTable } from '@atscript/moost-wf/store'
import { describeStateStore, describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'
import { type TestDatabase, conformanceEngines } from '../support/databases'
import { publicTable } from '../support/public-table'
import { SuperStore } from '../support/super-store'

describeStateStore({
  name: 'memory',
  open: () => {
    const clock = new FakeClock()
    return { clock, store: new WfStateStoreMemory({ clock }) }
  },
})

describe.each(conformanceEngines())('on $name', ({ create }) => {
  let database: TestDatabase
  let space: DbSpace
  let table: WfTable

  beforeAll(async () => {
    database = await create()
    space = database.open()
    table = space.table(WfStateRow)
    await space.sync()
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })

  const stores: [string, (clock: FakeClock) => AsWfStore][] = [
    ['AsWfStore', clock => new AsWfStore({ table, clock })],
    ['AsWfStore with hashed handles', clock => new AsWfStore({ table, clock, hashHandles: true })],
    [
      'AsWfStore on a table of the public shape',
      clock => new AsWfStore({ table: publicTable(table), clock }),
    ],
    ['a subclass that overrides every hook by super', clock => new SuperStore({ table, clock })],
  ]

  for (const [name, create] of stores) {
    const open = () => {
      const clock = new FakeClock()
      return { clock, store: create(clock) }
    }
    describeStateStore({ name, open })
  }

  for (const stable of [false, true]) {
    describeStateStrategy({
      name: `handle on AsWfStore${stable ? ', stable' : ''}`,
      open: () => {
        const clock = new FakeClock()
        const store = new AsWfStore({ table, clock })
        return { clock, strategy: new HandleStateStrategy({ store, stable }) }
      },
      lacks: {
        runKeys: 'only a durable run is looked for by a key',
        panels: 'only a durable run has several links',
      },
    })
  }
})
