import { outletHttp } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutboxApp } from '../support/outbox-app'
import { ADA, BOB, openPanelApp } from '../support/panel-app'

function shared(Store: typeof WfRunStoreMemory = WfRunStoreMemory) {
  const clock = new FakeClock()
  return { clock, runs: new Store({ clock, outbox: true, signals: true }) }
}

/** How often the links of each were opened, and when the last time was. */
const opensOf = async (
  { api }: Pick<Awaited<ReturnType<typeof openPanelApp>>, 'api'>,
  id: string,
) =>
  Object.fromEntries(
    (await api.messages(id)).map(({ recipient, opens, openedAt }) => [
      recipient,
      [opens, openedAt],
    ]),
  )

describe('a link that is opened', () => {
  it('is counted when it is looked at, and when its form is shown, and not when it is answered', async () => {
    const app = await openPanelApp(shared())
    const { flowId } = await app.start([ADA, BOB])
    expect(await opensOf(app, flowId)).toEqual({ [ADA]: [0, undefined], [BOB]: [0, undefined] })
    await app.runner.peek(app.latest(ADA))
    app.clock.advance(5000)
    await app.runner.peek(app.latest(ADA))
    app.clock.advance(5000)
    expect(await app.runner.resume(app.latest(ADA))).toMatchObject({ kind: 'paused' })
    const shownAt = app.clock.now()
    app.clock.advance(5000)
    await app.vote(ADA, 'approve')
    const opened = { [ADA]: [3, shownAt], [BOB]: [0, undefined] }
    expect(await opensOf(app, flowId)).toEqual(opened)
    const links = await app.api.links(flowId)
    expect(links.map(({ seat, opens }) => [seat, opens]).toSorted()).toEqual([
      [ADA, 3],
      [BOB, 0],
    ])
    // It is known when the run has ended, too, and the history has nothing of it.
    await app.vote(BOB, 'approve')
    expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    expect(await opensOf(app, flowId)).toEqual(opened)
    expect(await app.story(flowId)).not.toContain('opened')
  })

  it('is counted without a form as well, and not where it has expired', async () => {
    const app = await openOutboxApp(shared(), { strategy: { defaultTtl: 60_000 } })
    const { flowId } = await app.start()
    await app.wait(0)
    const { token } = app.attempts[0]!
    expect(await app.runner.peek(token)).toMatchObject({ kind: 'resumable' })
    app.clock.advance(60_000)
    expect(await app.runner.peek(token)).toMatchObject({ code: 'WF_EXPIRED' })
    expect((await app.messages(flowId))[0]).toMatchObject({ opens: 1 })
  })

  it('is the one that the message has carried, of those of one person', async () => {
    const app = await openOutboxApp(shared())
    const { flowId } = await app.start()
    await app.wait(0)
    const [message] = await app.messages(flowId)
    await app.runner.peek(app.attempts[0]!.token)
    await app.api.resend(message!.messageId)
    await app.wait(1000)
    await app.api.resend(message!.messageId, { to: 'bob@example.com' })
    await app.wait(0)
    await app.runner.peek(app.attempts.at(-1)!.token)
    await app.runner.peek(app.attempts.at(-1)!.token)
    // The second message had the link of the first.
    expect((await app.messages(flowId)).map(({ opens }) => opens)).toEqual([1, 1, 2])
  })

  it('is not counted where the form was shown to the caller', async () => {
    const store = shared()
    const counted = vi.spyOn(store.runs, 'noteOpened')
    const app = await openOutboxApp(store)
    app.deeds.ask = (ctx, input) => {
      if (!input?.name) return outletHttp({ form: 'name' })
      ctx.name = input.name as string
    }
    const shown = await app.runner.start('shop/order')
    if (shown.kind !== 'paused') throw new Error(shown.kind)
    await app.runner.peek(shown.token)
    expect(counted).not.toHaveBeenCalled()
  })

  it('is shown whatever becomes of the count, which is told without the token', async () => {
    class Failing extends WfRunStoreMemory {
      override noteOpened = () => Promise.reject(new Error('the disk is full'))
    }
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const app = await openPanelApp(shared(Failing))
    await app.start([ADA, BOB])
    expect(await app.runner.peek(app.latest(ADA))).toMatchObject({ kind: 'resumable' })
    expect(await app.runner.resume(app.latest(ADA))).toMatchObject({ kind: 'paused' })
    const said = warned.mock.calls.map(call => call.map(String).join(' '))
    expect(said).toEqual([
      expect.stringContaining('could not be counted'),
      expect.stringContaining('could not be counted'),
    ])
    expect(said.join()).not.toContain(app.latest(ADA).split('.')[1])
  })

  it('is shown before it is counted', async () => {
    class Slow extends WfRunStoreMemory {
      override noteOpened = () => new Promise<void>(() => {})
    }
    const app = await openPanelApp(shared(Slow))
    await app.start([ADA, BOB])
    expect(await app.runner.peek(app.latest(ADA))).toMatchObject({ kind: 'resumable' })
  })
})
