import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { startDurableServer } from '../support/durable-servers'
import { overlaps, readNotes } from '../support/noted-steps'
import { OrderClients } from '../support/order-clients'
import { allRuns, inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { scaled } from '../support/scale'
import { useServerDatabase } from '../support/server-database'

const ITERATIONS = scaled(60, 1000)
const LEASE_MS = 1500
const PATIENCE_MS = scaled(40_000, 300_000)

describe.each(testEngines())('three processes that recover at once, on $name', engine => {
  const { store, fresh } = useServerDatabase(engine)

  it(
    `and one that starts runs never have one run at the same time, in ${ITERATIONS} runs`,
    { timeout: scaled(60_000, 3_600_000) },
    async () => {
      const shared = { ...(await fresh(LEASE_MS)), workMs: 8 }
      const worker = { everyMs: 10, concurrency: 4 }
      const [starter] = await Promise.all([
        startDurableServer({ ...shared, worker: false }),
        ...[1, 2, 3].map(() => startDurableServer({ ...shared, worker })),
      ])
      const clients = new OrderClients()
      for (let iteration = 0; iteration < ITERATIONS; iteration += 4) {
        // Half of them are the starter's own, which the others must leave alone.
        const starts = [true, false, true, false].map(isForAnyone =>
          clients.startJob(starter!, { isForAnyone }),
        )
        await Promise.all(starts)
      }
      await untilAllHaveEnded(store(), PATIENCE_MS)
      const notes = readNotes(shared.notes)
      expect(overlaps(notes, LEASE_MS)).toEqual([])
      const figures = await inspectRuns(store(), clients, shared)
      expect(figures.completed).toBe(clients.jobs.length)
      expect(clients.jobs.length).toBeGreaterThanOrEqual(ITERATIONS)
      const claims = (await allRuns(store())).map(({ claimSeq }) => claimSeq)
      const nodes = new Set(notes.map(({ node }) => node))
      console.info(
        `${engine.name}: ${JSON.stringify(figures)}, ${nodes.size} nodes, most claims of a run: ${Math.max(...claims)}`,
      )
      expect(nodes.size).toBeGreaterThanOrEqual(3)
    },
  )
})
