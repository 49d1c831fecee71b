import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testEngines } from '../support/databases'
import { type DurableServerOptions, startDurableServer } from '../support/durable-servers'
import { OrderClients } from '../support/order-clients'
import { inspectCounts, inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { RunDatabase } from '../support/run-stores'
import { scaled } from '../support/scale'

const ROUNDS = scaled(8, 500)
const SERVERS = 3
/** Of one server at once. */
const USERS = [1, 2, 3]
const LEASE_MS = 2000
/** Within which a server is killed that has been at work. */
const KILL_WITHIN_MS = 300
const PATIENCE_MS = scaled(40_000, 300_000)

describe.each(testEngines())('a server that is killed at any moment, on $name', engine => {
  let database: RunDatabase
  let folder: string
  beforeAll(async () => {
    database = await RunDatabase.create(engine, true)
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-killed-'))
  })
  afterAll(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it(
    `loses no run and no answer, and runs no committed step again, ${ROUNDS} times`,
    { timeout: scaled(60_000, 3_600_000) },
    async () => {
      const options: DurableServerOptions = {
        engine: engine.name,
        url: database.database.url,
        notes: join(folder, 'notes'),
        leaseMs: LEASE_MS,
        worker: { everyMs: 200 },
        workMs: 15,
      }
      const clients = new OrderClients()
      const using: Promise<unknown>[] = []
      const startUsed = async () => {
        const server = await startDurableServer(options)
        using.push(...USERS.map(() => clients.use(server)))
        return server
      }
      const servers = Array.from({ length: SERVERS }, startUsed)
      onTestFinished(async () => void (await Promise.allSettled(servers)))
      for (let round = 0; round < ROUNDS; round++) {
        const server = await servers.shift()!
        await clients.haveBeenAnswered(server)
        await pause(Math.random() * KILL_WITHIN_MS)
        await server.kill()
        servers.push(startUsed())
      }
      const [first] = await Promise.all(servers)
      clients.stop()
      await Promise.all(using)
      // Those who were not told that it is over ask again. Half of them need not: it goes on by itself.
      const trying = clients.orders.filter((_, index) => index % 2 === 0)
      const deadline = performance.now() + PATIENCE_MS
      while (trying.some(({ isOver }) => !isOver) && performance.now() < deadline) {
        const open = trying.filter(({ isOver }) => !isOver)
        await Promise.all(open.map(order => clients.answer(first!, order)))
        await pause(100)
      }
      const store = database.store({ clock: Date })
      await untilAllHaveEnded(store, PATIENCE_MS)
      // The other half of those that nobody had answered in time.
      await Promise.all(clients.open().map(order => clients.answer(first!, order)))
      await untilAllHaveEnded(store, PATIENCE_MS)
      const figures = await inspectRuns(store, clients, options)
      const counted = await inspectCounts(database)
      console.info(
        `${engine.name}: ${ROUNDS} kills, ${JSON.stringify(figures)}, ${counted} counted`,
      )
      expect(figures.completed).toBeGreaterThan(0)
      expect(figures.recoveries).toBeGreaterThan(0)
    },
  )
})
