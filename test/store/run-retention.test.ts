import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOf, runThatIs } from '../../src/testing/runs/opened-run-store'
import { testEngines } from '../support/databases'
import { RunDatabase } from '../support/run-stores'

describe.each(testEngines())('retention on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  it('leaves a run that goes on after it was found, with its history', async () => {
    const { clock, space } = database
    const opened = { clock, store: database.store() }
    const failed = await runThatIs(opened, 'failed')
    const others = await Promise.all([1, 2].map(() => runThatIs(opened, 'failed')))
    let isTried = false
    const store = database.store({
      space: {
        commit: change => space.commit(change as never),
        now: offsetMs => space.now(offsetMs),
        transaction: async work => {
          if (!isTried) {
            isTried = true
            const events = [{ type: 'retried', to: 'active' }] as const
            await opened.store.commit(failed, { events })
          }
          return space.transaction(transaction => work(transaction as never))
        },
      },
    })
    expect(await store.removeEnded({ endedUntil: clock.now() })).toBe(2)
    expect(isTried).toBe(true)
    const { run, history } = await allOf(opened, failed)
    expect([run?.status, history.length]).toEqual(['active', 3])
    for (const other of others) expect((await allOf(opened, other)).history).toEqual([])
  })
})
