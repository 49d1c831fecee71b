import { HandleStateStrategy } from '@atscript/moost-wf'
import { AsWfStore } from '@atscript/moost-wf/store'
import { race } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DbSpace } from '@atscript/moost-wf/db'
import { WfStateRow } from '../../fixtures/schemas/wf-state-row.as'
import { conformanceEngines, type TestDatabase } from '../inside/databases'

const RACERS = 50
const ROUNDS = 10
const STATE = { schemaId: 'order/coffee', indexes: [0], context: { name: 'Ada' } }

describe.each(conformanceEngines())('on $name', ({ create }) => {
  let database: TestDatabase
  let spaces: DbSpace[]

  beforeAll(async () => {
    database = await create()
    // As two processes, or two Workers, have them.
    spaces = [database.open(), database.open()]
    for (const space of spaces) space.table(WfStateRow)
    await spaces[0]!.sync()
  })
  afterAll(async () => {
    for (const space of spaces) await space.close()
    await database.drop()
  })

  it(`lets exactly one of ${RACERS} racers have a handle, ${ROUNDS} times`, async () => {
    const strategies = spaces.map(
      space =>
        new HandleStateStrategy({ store: new AsWfStore({ table: space.table(WfStateRow) }) }),
    )
    for (let round = 0; round < ROUNDS; round++) {
      const token = await strategies[0]!.persist(STATE)
      const taken = await race(RACERS, at => strategies[at % 2]!.consume(token))
      expect(taken.filter(Boolean)).toEqual([STATE])
    }
  })
})
