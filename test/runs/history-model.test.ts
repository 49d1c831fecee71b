import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { LOST_AND_ASKED, type Operation, operation } from '../support/run-operations'
import { RunDatabase, type SharedRuns } from '../support/run-stores'
import { RunWorld } from '../support/run-world'
import { scaled } from '../support/scale'

/** All but `moved_out`, which no run of ours ever is. */
const EVENTS =
  'workflow_created moved_in restored started resumed recovered retried ' +
  'step_started step_completed step_failed paused stayed waiting ' +
  'undelivered extended updated cancelled workflow_completed workflow_failed'

/** Whatever is done to runs, their history tells what they have become. */
function describeHistory(numRuns: number, fresh: () => Promise<SharedRuns>): void {
  it('says what has become of a run, whatever is done to it', async () => {
    const seen = new Set<string>()
    const property = async (operations: readonly Operation[], checkpoint: 'step' | 'pause') => {
      const { runs, clock } = await fresh()
      const elsewhere = new WfRunStoreMemory({ clock })
      const world = await RunWorld.open({ here: runs, elsewhere }, clock, checkpoint)
      for (const next of operations) {
        await world.perform(next)
        for (const type of await world.check()) seen.add(type)
      }
    }
    const operations = fc.array(operation, { minLength: 8, maxLength: 24, size: 'max' })
    const checkpoint = fc.constantFrom('step', 'step', 'pause')
    await fc.assert(fc.asyncProperty(operations, checkpoint, property), {
      numRuns,
      examples: [[LOST_AND_ASKED, 'step']],
    })
    // What was never tried has not been shown to be right.
    if (numRuns >= 300) expect([...seen].toSorted()).toEqual(EVENTS.split(' ').toSorted())
  })
}

describe('the history in memory', () => {
  describeHistory(scaled(300, 3000), async () => {
    const clock = new FakeClock()
    return { clock, runs: new WfRunStoreMemory({ clock }) }
  })
})

describe.each(testEngines())('the history on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  describeHistory(scaled(15, 300), async () => {
    await database.clear()
    return { clock: database.clock, runs: database.store() }
  })
})
