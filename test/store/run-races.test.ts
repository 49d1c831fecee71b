import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { useRunWorkers } from '../support/run-workers'
import { scaled } from '../support/scale'

const PROCESSES = 4
const RACERS = 25
const LINKS = scaled(30, 1000)
const AT_ONCE = 5

describe.each(testEngines())('4 processes on $name', engine => {
  const { database, start } = useRunWorkers(engine)

  it('have one winner of 100 for each link, and its run has one history', async () => {
    const runs = database().store()
    const durable = new DurableStateStrategy({ runs })
    const handles: string[] = []
    for (let link = 0; link < LINKS; link++) {
      handles.push(await durable.persist({ schemaId: 'order', indexes: [0], context: { link } }))
    }
    const workers = await Promise.all(Array.from({ length: PROCESSES }, start))
    const winning = new Set<number>()
    // A few at a time, so that no process is ahead of the others for long.
    for (let from = 0; from < LINKS; from += AT_ONCE) {
      const some = handles.slice(from, from + AT_ONCE)
      const outcomes = (await Promise.all(
        workers.map(worker => worker.run('race', { handles: some, racers: RACERS })),
      )) as number[][]
      const winners = some.map((_, at) => outcomes.reduce((sum, wins) => sum + wins[at]!, 0))
      expect(new Set(winners)).toEqual(new Set([1]))
      outcomes.forEach((wins, process) => wins.includes(1) && winning.add(process))
    }
    // Otherwise they have not raced.
    expect(winning.size).toBeGreaterThan(1)
    const rows = await database().runs.findMany({ filter: {} })
    expect(rows).toHaveLength(LINKS)
    for (const { flowId, status, version, claimSeq } of rows) {
      expect({ status, version, claimSeq }).toEqual({
        status: 'completed',
        version: 4,
        claimSeq: 1,
      })
      const types = (await runs.history(flowId)).map(({ type }) => type)
      expect(types).toEqual(['workflow_created', 'paused', 'resumed', 'workflow_completed'])
    }
  })
})
