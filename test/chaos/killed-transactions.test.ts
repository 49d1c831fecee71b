import { AsWfLedger } from '@atscript/moost-wf'
import { describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { startDurableServer } from '../support/durable-servers'
import { readNotes } from '../support/noted-steps'
import { OrderClients } from '../support/order-clients'
import { inspectCounts, inspectRuns, untilAllHaveEnded } from '../support/run-inspection'
import { useServerDatabase } from '../support/server-database'

const LEASE_MS = 1000

describe.each(testEngines())(
  'a server that is killed in the transaction of a step, on $name',
  engine => {
    const { database, store, fresh } = useServerDatabase(engine)

    it('leaves neither what the step has written nor the step, which runs again', async () => {
      const shared = { ...(await fresh(LEASE_MS)), workMs: 1 }
      const clients = new OrderClients()
      const dying = await startDurableServer({ ...shared, worker: false, hangsAtCounting: true })
      await clients.startJob(dying)
      const isCounting = () => readNotes(shared.notes).some(({ step }) => step === 'count')
      await vi.waitFor(() => expect(isCounting()).toBe(true), 20_000)
      await dying.kill()
      const ledger = new AsWfLedger({ table: database().ledger })
      expect(await ledger.get('paid', 'all 0')).toBeNull()
      await startDurableServer({ ...shared, worker: { everyMs: 50 } })
      await untilAllHaveEnded(store(), 20_000)
      expect(await inspectCounts(database())).toBe(1)
      await inspectRuns(store(), clients, shared)
    })
  },
)
