import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { scaled } from '../support/scale'
import { startStateWorker, useStateDatabase } from '../support/state-workers'

const KILLS = scaled(6, 50)
const ROWS = 600
const WORK = ['heal', 'cleanup', 'set'] as const

describe.each(testEngines())('a process that is killed at work, on $name', engine => {
  const { url, store, table } = useStateDatabase(engine)

  const rows = Array.from({ length: ROWS }, (_, n) => ({
    handle: `h${n}`,
    schemaId: 'suite/flow',
    state: { context: { applicant: `user${n}`, amount: n }, indexes: [n] },
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    // A third has expired.
    expiresAt: n % 3 === 0 ? 1 : null,
  }))
  const resumable = rows.filter(({ expiresAt }) => expiresAt === null)

  it(`leaves whole rows behind, ${KILLS} times of ${KILLS}`, async () => {
    let interrupted = 0
    for (let kill = 0; kill < KILLS; kill++) {
      await table().deleteMany({})
      await table().insertMany(rows)
      const worker = await startStateWorker(engine.name, url())
      const work = WORK[kill % WORK.length]!
      const handles = resumable.slice(0, 5).map(({ handle }) => handle)
      const finished = worker.run(work, { handles }).then(
        () => true,
        () => false,
      )
      await pause(Math.random() * 60)
      await worker.kill()
      if (!(await finished)) interrupted++

      const left = await table().findMany({ filter: {} })
      expect(left.filter(row => row.expiresAt === null)).toHaveLength(resumable.length)
      for (const row of left) {
        // What was written was written as one: the columns are those of the state, or untouched.
        const { context, indexes } = row.state as (typeof rows)[number]['state']
        expect(indexes).toEqual([context.amount])
        expect([context.applicant, null]).toContain(row.applicant)
        expect([context.amount, null]).toContain(row.amount)
        if (row.version > 1) expect(row.applicant).toBe(context.applicant)
      }
      await store().heal()
      expect(await store().drift()).toBe(0)
      await store().cleanup()
      expect(await table().count({ filter: {} })).toBe(resumable.length)
    }
    expect(interrupted).toBeGreaterThan(0)
  })
})
