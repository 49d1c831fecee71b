import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { scaled } from '../support/scale'
import { startStateWorker, useStateDatabase } from '../support/state-workers'

const PROCESSES = 4
const RACERS = 25
const HANDLES = scaled(50, 1000)

describe.each(testEngines())('4 processes on $name', engine => {
  const { url, store, table } = useStateDatabase(engine)

  it('have one winner of 100 for each handle, and lose no row', async () => {
    const handles = Array.from({ length: HANDLES }, (_, n) => `h${n}`)
    for (const handle of [...handles, 'bystander']) {
      const state = { schemaId: 'suite/flow', indexes: [0], context: { applicant: handle } }
      await store().set(handle, state)
    }
    const workers = await Promise.all(
      Array.from({ length: PROCESSES }, () => startStateWorker(engine.name, url())),
    )
    const outcomes = (await Promise.all(
      workers.map(worker => worker.run('take', { handles, racers: RACERS })),
    )) as number[][]
    const winners = handles.map((_, at) => outcomes.reduce((sum, wins) => sum + wins[at]!, 0))
    expect(new Set(winners)).toEqual(new Set([1]))
    expect((await table().findMany({ filter: {} })).map(row => row.handle)).toEqual(['bystander'])
  })
})
