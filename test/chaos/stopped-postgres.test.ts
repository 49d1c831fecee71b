import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import type { Clock } from '@atscript/moost-wf/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DurableServerOptions, startDurableServer } from '../support/durable-servers'
import { OrderClients } from '../support/order-clients'
import { inspectCounts, inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { RunDatabase } from '../support/run-stores'
import { scaled } from '../support/scale'
import { type StoppablePostgres, startStoppablePostgres } from '../support/stopped-postgres'

const RUNS = scaled(60, 5000)
const STOPS = scaled(2, 20)
const SERVERS = 2
const USERS = [1, 2, 3, 4]
const LEASE_MS = 3000
/** For how long it runs, and for how long it is down at most. */
const UP_MS = scaled(1500, 5000)
const DOWN_MS = 2000
const PATIENCE_MS = scaled(45_000, 300_000)

describe('a database that is stopped again and again', () => {
  let postgres: StoppablePostgres
  let database: RunDatabase
  let folder: string
  beforeAll(async () => {
    postgres = await startStoppablePostgres()
    const { url } = postgres
    // The server goes with its data.
    const drop = async () => {}
    const open = (options: { clock?: Clock } = {}) => openPostgres(url, options)
    const engine = { name: 'PostgreSQL', create: async () => ({ url, open, drop }) }
    database = await RunDatabase.create(engine, true)
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-stopped-'))
  })
  afterAll(async () => {
    await database.drop()
    await postgres.end()
    rmSync(folder, { recursive: true, force: true })
  })

  it(
    `loses no run and no answer, and no committed step runs again, in ${RUNS} runs`,
    { timeout: scaled(60_000, 3_600_000) },
    async () => {
      const options: DurableServerOptions = {
        engine: 'PostgreSQL',
        url: postgres.url,
        notes: join(folder, 'notes'),
        leaseMs: LEASE_MS,
        worker: { everyMs: 200 },
        workMs: 15,
      }
      const clients = new OrderClients()
      const servers = await Promise.all(
        Array.from({ length: SERVERS }, () => startDurableServer(options)),
      )
      const using = servers.flatMap(server => USERS.map(() => clients.use(server)))
      let stops = 0
      while (stops < STOPS || clients.jobs.length + clients.orders.length < RUNS) {
        await pause(UP_MS * (1 + Math.random()))
        await postgres.stop()
        stops++
        await pause(Math.random() * DOWN_MS)
        await postgres.start()
      }
      clients.stop()
      await Promise.all(using)
      const deadline = performance.now() + PATIENCE_MS
      while (clients.open().length > 0 && performance.now() < deadline) {
        for (const order of clients.open()) await clients.answer(servers[0]!, order)
      }
      const store = database.store({ clock: Date })
      await untilAllHaveEnded(store, PATIENCE_MS)
      const figures = await inspectRuns(store, clients, options)
      await inspectCounts(database)
      const { failures } = clients
      console.info(
        `PostgreSQL stopped ${stops} times, ${failures} failures, ${JSON.stringify(figures)}`,
      )
      // It was felt.
      expect(failures).toBeGreaterThan(0)
      expect(figures.completed).toBeGreaterThanOrEqual(RUNS)
    },
  )
})
