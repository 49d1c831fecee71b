import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { startDurableServer } from '../support/durable-servers'
import { readNotes } from '../support/noted-steps'
import { OrderClients } from '../support/order-clients'
import { inspectCounts, inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { scaled } from '../support/scale'
import { useServerDatabase } from '../support/server-database'

/** Workers of each process. */
const PROCESSES = [3, 3, 2, 2]
const LEASE_MS = scaled(1000, 2000)
/** Short work is over before anybody is killed, if there is little of it. */
const WORK_MS = scaled(150, 10)
const CONCURRENCY = scaled(2, 10)
const KILL_WITHIN_MS = scaled(600, 3000)
/** Steps of many runs count in them at the same time. */
const TOTALS = scaled(1, 16)
/** Are started in one transaction. */
const AT_ONCE = 100
const LANES = 4
const PATIENCE_MS = scaled(40_000, 1_200_000)

describe.each(testEngines())('ten workers in four processes, on $name', engine => {
  const { database, store, fresh } = useServerDatabase(engine)
  const items = engine.name === 'SQLite' ? scaled(120, 2000) : scaled(120, 10_000)

  it(
    `do each of ${items} due runs, whoever is killed, and no committed step twice`,
    { timeout: scaled(120_000, 3_600_000) },
    async () => {
      const shared = { ...(await fresh(LEASE_MS)), workMs: WORK_MS, totals: TOTALS }
      const clients = new OrderClients()
      const starter = await startDurableServer({ ...shared, worker: false })
      let left = items
      const lane = async () => {
        while (left > 0) {
          const count = Math.min(AT_ONCE, left)
          left -= count
          await clients.startJobs(starter, count)
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      expect(clients.jobs).toHaveLength(items)
      await starter.kill()
      const worker = { everyMs: 100, concurrency: CONCURRENCY }
      const running = new Map<string, { readonly kill: () => Promise<void>; workers: number }>()
      const start = async (workers: number) => {
        const { node, kill } = await startDurableServer({ ...shared, workers, worker })
        running.set(node, { kill, workers })
      }
      await Promise.all(PROCESSES.map(start))
      const began = performance.now()
      const open = () => database().runs.count({ filter: { status: { $ne: 'completed' } } })
      let kills = 0
      while ((await open()) > 0) {
        expect(performance.now() - began).toBeLessThan(PATIENCE_MS)
        await pause(Math.random() * KILL_WITHIN_MS)
        // One that has nothing in hand would leave nothing behind.
        const { node = '' } = readNotes(shared.notes).at(-1) ?? {}
        const unlucky = running.get(node)
        if (!unlucky) continue
        running.delete(node)
        await unlucky.kill()
        kills++
        await start(unlucky.workers)
      }
      const seconds = Math.round((performance.now() - began) / 1000)
      await untilAllHaveEnded(store(), PATIENCE_MS)
      const figures = await inspectRuns(store(), clients, shared)
      const counted = await inspectCounts(database(), TOTALS)
      console.info(
        `${engine.name}: ${kills} kills in ${seconds} s, ${JSON.stringify(figures)}, ${counted} counted`,
      )
      expect(figures).toMatchObject({ runs: items, completed: items })
      expect(counted).toBe(items)
      // Whoever is first to take up a run is noted as well.
      expect(figures.recoveries).toBeGreaterThan(items)
    },
  )
})
