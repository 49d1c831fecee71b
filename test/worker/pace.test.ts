import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { LEASE_MS, openDurableApp } from '../support/durable-app'

const EVERY_MS = 1000

afterEach(() => vi.useRealTimers())

it('takes up all that is due after one look, however few may go on at once', async () => {
  const clock = new FakeClock()
  const shared = { clock, runs: new WfRunStoreMemory({ clock }) }
  const dead = await openDurableApp(shared)
  dead.deeds.work = () => new Promise(() => {})
  const flowIds: string[] = []
  for (let run = 0; run < 7; run++) {
    const { flowId } = await dead.api.start('shop/order', { input: { name: 'Ada' } })
    flowIds.push(flowId)
  }
  await vi.waitFor(() => expect(dead.ran.filter(step => step === 'work')).toHaveLength(7))
  clock.advance(LEASE_MS)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = await openDurableApp(shared, { worker: { everyMs: EVERY_MS, concurrency: 2 } })
  let most = 0
  let busy = 0
  app.deeds.work = async () => {
    most = Math.max(most, ++busy)
    await new Promise(resolve => setImmediate(resolve))
    busy--
  }
  await vi.advanceTimersByTimeAsync(EVERY_MS * 1.1)
  const statuses = async () => (await app.api.getMany(flowIds)).map(({ status }) => status)
  const turns = 500
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
  expect(await statuses()).toEqual(Array(7).fill('completed'))
  expect(most).toBe(2)
  await app.api.stop()
})
