import { describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { startDurableServer } from '../support/durable-servers'
import { overlaps, readNotes, type StepNote } from '../support/noted-steps'
import { OrderClients } from '../support/order-clients'
import { allRuns, untilAllHaveEnded } from '../support/run-inspection'
import { scaled } from '../support/scale'
import { useServerDatabase } from '../support/server-database'

const RUNS = scaled(4, 40)
const A_MINUTE_MS = 60_000
const LEASE_MS = 1500
/** Steps that outlive their lease, so that only heartbeats keep it. */
const WORK_MS = 4000

describe.each(testEngines())('nodes whose clocks are a minute apart, on $name', engine => {
  const { store, fresh } = useServerDatabase(engine)

  it(
    'leave a live owner its runs, in both directions',
    { timeout: scaled(60_000, 600_000) },
    async () => {
      const shared = { ...(await fresh(LEASE_MS)), worker: { everyMs: 50 }, workMs: WORK_MS }
      const clients = new OrderClients()
      const servers = await Promise.all(
        [-A_MINUTE_MS, 0, A_MINUTE_MS].map(skewMs => startDurableServer({ ...shared, skewMs })),
      )
      for (const server of servers) {
        await Promise.all(Array.from({ length: RUNS }, () => clients.startJob(server)))
      }
      await untilAllHaveEnded(store(), scaled(50_000, 300_000))
      const notes = readNotes(shared.notes)
      expect(overlaps(notes, LEASE_MS)).toEqual([])
      const runs = await allRuns(store())
      expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
      // A node that spoke in time was never taken for dead: each of its steps ran once.
      const isSilent = ({ silentMs }: StepNote) => silentMs >= LEASE_MS
      const silent = new Set(notes.filter(isSilent).map(({ flowId }) => flowId))
      let taken = 0
      for (const { flowId } of runs.filter(run => !silent.has(run.flowId))) {
        const history = await store().history(flowId)
        taken += history.filter(({ type }) => type === 'recovered').length
      }
      console.info(`${engine.name}: ${runs.length} runs, ${silent.size} of a node that was silent`)
      expect(taken).toBe(0)
    },
  )

  it('begin at once what was started for anyone', async () => {
    const shared = { ...(await fresh(LEASE_MS)), worker: { everyMs: 50 }, workMs: 1 }
    const clients = new OrderClients()
    const servers = await Promise.all(
      [-A_MINUTE_MS, A_MINUTE_MS].map(skewMs => startDurableServer({ ...shared, skewMs })),
    )
    for (const server of servers) await clients.startJob(server, { isForAnyone: true })
    await vi.waitFor(
      async () => {
        const runs = await store().getMany(clients.jobs)
        expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed'])
      },
      { timeout: A_MINUTE_MS / 2, interval: 200 },
    )
  })
})
