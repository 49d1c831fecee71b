import { describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { startDurableServer } from '../support/durable-servers'
import { readNotes } from '../support/noted-steps'
import { OrderClients } from '../support/order-clients'
import { inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { scaled } from '../support/scale'
import { useServerDatabase } from '../support/server-database'

const RUNS = scaled(25, 100)
const LEASE_MS = 3000
const LOOK_MS = 1000
/** What a machine that does seven other things may take for the steps themselves. */
const SLACK_MS = 5000

describe.each(testEngines())('a standby, on $name', engine => {
  const { store, fresh } = useServerDatabase(engine)

  it('finishes the runs of a node that was killed when their lease has run out', async () => {
    const shared = await fresh(LEASE_MS)
    const clients = new OrderClients()
    const [dying] = await Promise.all([
      startDurableServer({ ...shared, worker: false, workMs: 600_000 }),
      startDurableServer({ ...shared, workMs: 1 }),
    ])
    await Promise.all(Array.from({ length: RUNS }, () => clients.startJob(dying!)))
    expect(clients.jobs).toHaveLength(RUNS)
    await vi.waitFor(() => expect(readNotes(shared.notes)).toHaveLength(RUNS), 20_000)
    await dying!.kill()
    const killedAt = Date.now()
    await untilAllHaveEnded(store(), 40_000)
    const ends: number[] = []
    for (const flowId of clients.jobs) {
      const history = await store().history(flowId)
      const began = history.find(({ type }) => type === 'recovered')!
      expect(began.detail.reason).toBe('stuck_created')
      ends.push(history.at(-1)!.at - killedAt)
    }
    const last = Math.max(...ends)
    console.info(`${engine.name}: the last of ${RUNS} runs ended ${last} ms after the kill`)
    // Nobody took them while they were the other's, and they were not left for another look either.
    expect(Math.min(...ends)).toBeGreaterThan(LEASE_MS / 3)
    expect(last).toBeLessThan(LEASE_MS + LOOK_MS + SLACK_MS)
    await inspectRuns(store(), clients, shared)
  })
})
