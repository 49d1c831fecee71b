import { expect } from 'vitest'
import type { WfNewRunMessage, WfRunMessage } from '../../state'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import {
  allOf,
  type OpenedRunStore,
  type OpenRunStore,
  type RunStoreLacks,
  runThatIs,
} from './opened-run-store'

const MS = 1000
const FAILED = { code: 'WF_OUTLET_FAILED', at: 1 }
const NO_IDS = [undefined, null, 7, {}, '', 'x', '\u0000', '\uD800', 'x'.repeat(1e6)]

const newMessage = (): WfNewRunMessage => ({
  messageId: `msg_${crypto.randomUUID()}`,
  pause: 2,
  outlet: 'email',
  recipient: 'ada@example.com',
  content: 'sealed',
})

/** A message of a run that waits, and what the store says of it. */
async function messageIn(opened: OpenedRunStore) {
  const message = newMessage()
  const begun = await runThatIs(opened, 'paused', { messages: [message] })
  const outbox = opened.store.outbox!
  const read = async () => (await outbox.find(message.messageId))!
  const isDue = async () =>
    (await outbox.due(1000)).some(({ messageId }) => messageId === message.messageId)
  return { ...begun, message, outbox, read, isDue }
}

export function describeRunMessages(open: OpenRunStore, lacks: RunStoreLacks): void {
  const it = casesUnless('describeRunStore', lacks)('outbox')

  it('writes a message with the pause that it announces, and it is due at once', async () => {
    const opened = await open()
    const { run, message, outbox, isDue } = await messageIn(opened)
    const { flowId } = run
    const createdAt = opened.clock.now()
    const free = { status: 'waiting', attempts: 0, claimSeq: 0 }
    const kept = { ...message, ...free, flowId, createdAt, queuedAt: createdAt }
    expect(await outbox.of(flowId)).toEqual([{ ...kept, dueAt: expect.any(Number) }])
    expect(await outbox.find(message.messageId)).toMatchObject(kept)
    expect(await isDue()).toBe(true)
  })

  it('writes no message of a run that is not written', async () => {
    const opened = await open()
    const { store } = opened
    const held = await runThatIs(opened, 'active')
    const paused = { events: [{ type: 'paused', to: 'paused' }], messages: [newMessage()] } as const
    await store.commit(held, { events: [{ type: 'step_started' }] })
    expect(await store.commit(held, paused)).toBeNull()
    const { flowId, schemaId } = held.run
    const again = { events: [{ type: 'paused', to: 'active' }], state: held.run.state } as const
    const fresh = { flowId, schemaId, startedAt: 1 }
    expect(await store.begin(fresh, { ...again, messages: [newMessage()] })).toBeNull()
    expect(await store.outbox!.of(flowId)).toEqual([])
  })

  it('gives a message to exactly one of those who want to send it', async () => {
    const { read, outbox } = await messageIn(await open())
    const seen = await read()
    const won = await race(20, () => outbox.claim(seen, MS))
    expect(won.filter(Boolean)).toEqual([expect.objectContaining({ attempts: 1, claimSeq: 1 })])
    expect(await outbox.claim(await read(), MS)).toBeNull()
  })

  it('gives it to the next when whoever had it was not heard of in time', async () => {
    const { clock, ...opened } = await open()
    const { outbox, read, isDue } = await messageIn({ clock, ...opened })
    const lost = (await outbox.claim(await read(), MS))!
    clock.advance(MS - 1)
    expect([await isDue(), await outbox.claim(await read(), MS)]).toEqual([false, null])
    clock.advance(1)
    expect(await isDue()).toBe(true)
    expect(await outbox.claim(lost, MS)).toMatchObject({ attempts: 2, claimSeq: 2 })
    // Who was too slow decides nothing any more.
    expect(await outbox.putOff(lost, MS)).toBe(false)
    expect(await outbox.settle(lost, 'undelivered', FAILED)).toBe(false)
    expect(await read()).toMatchObject({ status: 'waiting', claimSeq: 2 })
  })

  it('lets it be tried again later, and says why', async () => {
    const { clock, ...opened } = await open()
    const { outbox, read, isDue } = await messageIn({ clock, ...opened })
    const taken = (await outbox.claim(await read(), MS))!
    expect(await outbox.putOff(taken, 5 * MS, { lastError: FAILED })).toBe(true)
    expect(await read()).toMatchObject({ status: 'waiting', attempts: 1, lastError: FAILED })
    clock.advance(5 * MS - 1)
    expect(await isDue()).toBe(false)
    const dueAt = clock.now() + 1
    expect(await outbox.nextDue(0)).not.toBe(dueAt)
    expect(await outbox.nextDue(1)).toBeLessThanOrEqual(dueAt)
    clock.advance(1)
    const next = (await outbox.claim(await read(), MS))!
    expect(await outbox.putOff(next, MS, { isUncounted: true })).toBe(true)
    expect((await read()).attempts).toBe(1)
  })

  it('says once what became of it, and then it is not due any more', async () => {
    const { clock, ...opened } = await open()
    const { outbox, read, isDue, run } = await messageIn({ clock, ...opened })
    const taken = (await outbox.claim(await read(), MS))!
    const before = await opened.store.find(run.flowId)
    expect(await outbox.settle(taken, 'sent')).toBe(true)
    const settledAt = clock.now()
    clock.advance(MS)
    expect(await read()).toMatchObject({ status: 'sent', attempts: 1, settledAt })
    expect([(await read()).dueAt, await isDue()]).toEqual([undefined, false])
    expect(await outbox.settle(taken, 'sent')).toBe(false)
    expect(await outbox.settle(taken, 'dropped')).toBe(false)
    expect(await outbox.putOff(taken, MS)).toBe(false)
    // Neither the run nor its history knows of it: someone may be answering.
    expect(await opened.store.find(run.flowId)).toEqual(before)
  })

  it('takes word of its arrival late too, unless it was dropped', async () => {
    const opened = await open()
    for (const [became, isTaken] of [
      ['undelivered', true],
      ['dropped', false],
    ] as const) {
      const { outbox, read } = await messageIn(opened)
      const slow = (await outbox.claim(await read(), MS))!
      opened.clock.advance(MS)
      const next = (await outbox.claim(await read(), MS))!
      await outbox.settle(next, became, FAILED)
      expect(await outbox.settle(slow, 'sent')).toBe(isTaken)
      const { status, lastError } = await read()
      expect({ status, lastError }).toEqual(
        isTaken ? { status: 'sent' } : { status: became, lastError: FAILED },
      )
    }
  })

  it('sends again what a change of its run says, and nothing of another run', async () => {
    const opened = await open()
    const one = await messageIn(opened)
    const other = await messageIn(opened)
    for (const { outbox, read } of [one, other]) {
      await outbox.settle((await outbox.claim(await read(), MS))!, 'undelivered', FAILED)
    }
    opened.clock.advance(MS)
    const ids = [one.message.messageId, other.message.messageId]
    const change = { events: [{ type: 'extended' }], sendAgain: ids } as const
    expect(await opened.store.commit(one, change)).not.toBeNull()
    const again = await one.read()
    const queuedAt = opened.clock.now()
    expect(again).toMatchObject({ status: 'waiting', attempts: 0, claimSeq: 1, queuedAt })
    expect([again.lastError, again.settledAt]).toEqual([undefined, undefined])
    expect(await one.isDue()).toBe(true)
    expect(await other.read()).toMatchObject({ status: 'undelivered' })
    expect(await one.outbox.claim(again, MS)).toMatchObject({ attempts: 1, claimSeq: 2 })
  })

  it('names those first that wait for the longest, and no more than are asked for', async () => {
    const opened = await open()
    const all: WfRunMessage[] = []
    for (let count = 0; count < 3; count++) {
      all.push(await (await messageIn(opened)).read())
      opened.clock.advance(1)
    }
    const ids = all.map(({ messageId }) => messageId)
    const due = (await opened.store.outbox!.due(1000)).map(({ messageId }) => messageId)
    expect(due.filter(id => ids.includes(id))).toEqual(ids)
    expect(await opened.store.outbox!.due(2)).toHaveLength(2)
  })

  it('knows nothing under what is no id', async () => {
    const { outbox } = (await open()).store
    for (const id of NO_IDS as string[]) {
      expect([await outbox!.find(id), await outbox!.of(id)]).toEqual([null, []])
    }
  })

  it('removes messages with the run that has ended', async () => {
    const opened = await open()
    const { run, owner } = await messageIn(opened)
    const events = [{ type: 'cancelled', to: 'cancelled' }] as const
    const ended = (await opened.store.commit({ run, owner }, { events }))!
    await opened.store.removeEnded({ endedUntil: opened.clock.now() })
    expect(await allOf(opened, ended)).toMatchObject({ run: null, messages: [] })
  })
}
