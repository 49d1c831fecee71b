import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runThatIs } from '../../src/testing/runs/opened-run-store'
import { testEngines } from '../support/databases'
import { RunDatabase } from '../support/run-stores'

const A_MINUTE = 60_000
const LEASE = { owner: 'one', ms: 1000 }

describe.each(testEngines())('leases on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  /** Processes whose clocks are a minute ahead and a minute behind that of the database. */
  const processes = () => {
    const { clock } = database
    const ahead = database.store({ clock: new FakeClock(clock.now() + A_MINUTE) })
    const behind = database.store({ clock: new FakeClock(clock.now() - A_MINUTE) })
    return [
      { name: 'ahead', holder: ahead, other: behind },
      { name: 'behind', holder: behind, other: ahead },
    ]
  }

  it.each([0, 1])(
    'run out by the clock of the database, whatever those of processes say',
    async at => {
      const { holder, other } = processes()[at]!
      const { clock } = database
      const { run } = await runThatIs({ store: holder, clock })
      const seen = async () => (await other.find(run.flowId))!
      const isDue = async () => (await other.due(1000)).some(({ flowId }) => flowId === run.flowId)
      const held = await holder.claim(run, LEASE)
      clock.advance(999)
      expect(await other.claim(await seen(), LEASE)).toBeNull()
      expect(await holder.renew(held!, 1000)).toBe(true)
      clock.advance(999)
      expect(await other.claim(await seen(), LEASE)).toBeNull()
      const events = [{ type: 'resumed', to: 'active' }] as const
      await holder.commit(held!, { events, lease: LEASE })
      clock.advance(999)
      expect([await other.claim(await seen(), LEASE), await isDue()]).toEqual([null, false])
      clock.advance(1)
      expect(await isDue()).toBe(true)
      expect(await other.claim(await seen(), LEASE)).not.toBeNull()
    },
  )
})
