import { createWfRuns } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDurableApp } from '../support/durable-app'

const BUDGET_MS = 50_000
const ADA = { input: { name: 'Ada' } }

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** An application that sends its runs to a queue. */
async function openQueued() {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock })
  const app = await openDurableApp({ clock, runs })
  const sent: string[] = []
  const queue = { send: (flowId: string) => void sent.push(flowId) }
  const api = createWfRuns({ ...app.runConfig, queue, worker: false }, app.wf)
  return { ...app, clock, api, sent, queue }
}

it('sends a run that is started, and goes on with none by itself', async () => {
  const { api, sent, ran } = await openQueued()
  const { flowId } = await api.start('shop/order', ADA)
  await vi.waitFor(() => expect(sent).toEqual([flowId]))
  expect(ran).toEqual([])
  expect(await api.execute(flowId)).toEqual({ done: true })
  expect(await api.get(flowId)).toMatchObject({ status: 'completed' })
})

it('is not done while a run is handed on, which is to be sent again', async () => {
  const { api, deeds, ran } = await openQueued()
  deeds.work = () => void vi.advanceTimersByTime(BUDGET_MS)
  const { flowId } = await api.start('shop/order', ADA)
  expect(await api.execute(flowId)).toEqual({ done: false })
  expect(ran).toEqual(['ask', 'work'])
  expect(await api.execute(flowId)).toEqual({ done: true })
  expect(await api.get(flowId)).toMatchObject({ status: 'completed' })
})

it('is done with what is none, has ended or is another’s', async () => {
  const { api, deeds, ran } = await openQueued()
  expect(await api.execute('no such run')).toEqual({ done: true })
  deeds.work = () => new Promise(() => {})
  const { flowId } = await api.start('shop/order', ADA)
  void api.execute(flowId)
  await vi.waitFor(() => expect(ran).toContain('work'))
  expect(await api.execute(flowId)).toEqual({ done: true })
  expect(ran).toEqual(['ask', 'work'])
})

it('sends what is lost again, when it had time to arrive, and hides nothing behind it', async () => {
  const { api, sent, clock } = await openQueued()
  const first = await api.start('shop/order', ADA)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(await api.runDue({ limit: 1 })).toMatchObject({ done: 0 })
  clock.advance(29_999)
  const second = await api.start('shop/order', ADA)
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(await api.runDue()).toMatchObject({ done: 0 })
  clock.advance(1)
  expect(await api.runDue({ limit: 1 })).toMatchObject({ done: 1 })
  expect(sent).toEqual([first.flowId, second.flowId, first.flowId])
})

it('sends by the next look what the queue has not taken', async () => {
  const { api, sent, queue } = await openQueued()
  const { send } = queue
  queue.send = () => {
    throw new Error('no queue')
  }
  const { flowId } = await api.start('shop/order', ADA)
  await new Promise(resolve => setImmediate(resolve))
  queue.send = send
  expect(await api.runDue()).toMatchObject({ done: 1 })
  expect(sent).toEqual([flowId])
})
