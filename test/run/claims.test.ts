import { randomBytes } from 'node:crypto'
import {
  createEmailOutlet,
  createWfRunner,
  EncapsulatedStateStrategy,
  finishWf,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  Step,
  swapStrategy,
  useWfFinished,
  type WfEmail,
  WfLedgerMemory,
  type WfRunResult,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfPausedResult, WfRunnerConfig } from '@atscript/moost-wf/run'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../support/moost-app'
import { WholeStrategy, type WholeStrategyOptions } from '../support/whole-strategy'

interface Ctx {
  name?: string
  loops?: number
}
type Input = Record<string, string> | undefined
type Deed = (ctx: Ctx, input: Input) => unknown

/** Where a step of the workflow does what a test wants. */
interface Deeds {
  ask: Deed
  work: Deed
  last: Deed
}

async function openRuns(
  options: WholeStrategyOptions = {},
  overrides: Partial<WfRunnerConfig> = {},
) {
  const ran: string[] = []
  const mails: WfEmail[] = []
  const deeds: Deeds = {
    ask: (ctx, input) => {
      if (!input?.name) return outletHttp({ ask: 'name' })
      ctx.name = input.name
    },
    work: () => undefined,
    last: () => undefined,
  }
  const clock = new FakeClock()
  const strategy = new WholeStrategy(clock, options)

  @Controller('shop')
  class Shop {
    @Workflow('order')
    @WorkflowSchema<Ctx>(['ask', { id: 'work', condition: () => true }, 'last'])
    order() {}

    @Step('ask')
    ask(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input: Input) {
      ran.push('ask')
      return deeds.ask(ctx, input)
    }

    @Step('work')
    work(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input: Input) {
      ran.push('work')
      return deeds.work(ctx, input)
    }

    @Step('last')
    last(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input: Input) {
      ran.push('last')
      return deeds.last(ctx, input)
    }
  }

  const { app, wf, log } = buildApp([Shop])
  await app.init()
  const runner = createWfRunner(
    {
      state: strategy,
      outlets: [createEmailOutlet(async mail => void mails.push(mail))],
      clock,
      ...overrides,
    },
    wf,
  )
  return { runner, strategy, deeds, ran, mails, clock, log }
}

type Runs = Awaited<ReturnType<typeof openRuns>>

const ADA = { input: { name: 'Ada' } }
const never = () => new Promise<never>(() => undefined)

function paused(result: WfRunResult): WfPausedResult {
  if (result.kind === 'paused') return result
  throw new Error(`It is ${result.kind}: ${JSON.stringify(result)}`)
}

const start = async ({ runner }: Runs) => paused(await runner.start('shop/order')).token

/** What a process that has died leaves behind, under the tokens that a registry knows. */
const crash = ({ strategy }: Runs) =>
  strategy.crash().map(({ token, answer }) => ({ token: `default.${token}`, answer }))

/** Lets a run hang in a step, and its process die there. */
async function crashIn(runs: Runs, step: keyof Deeds, token: string) {
  const reached = new Promise<void>(resolve => {
    runs.deeds[step] = () => {
      resolve()
      return never()
    }
  })
  void runs.runner.resume(token, ADA)
  await reached
  runs.deeds[step] = () => undefined
  runs.ran.length = 0
  return crash(runs)
}

describe('a checkpoint', () => {
  it('behind a step of a resumed run is gone on from', async () => {
    const runs = await openRuns()
    const [left] = await crashIn(runs, 'work', await start(runs))
    runs.deeds.last = ctx => useWfFinished().set({ type: 'data', value: { ...ctx } })
    const done = await runs.runner.resume(left!.token)
    expect(done).toMatchObject({ kind: 'finished', data: { name: 'Ada' } })
    expect(runs.ran).toEqual(['work', 'last'])
  })

  it('behind the last step is gone on from, and no step runs again', async () => {
    const runs = await openRuns({}, { onFinished: never })
    const token = await start(runs)
    void runs.runner.resume(token, ADA)
    await vi.waitFor(() => expect(runs.ran).toEqual(['ask', 'ask', 'work', 'last']))
    // The last step is committed once the run has gone on to its end.
    await new Promise(resolve => setImmediate(resolve))
    const [left] = crash(runs)
    runs.ran.length = 0
    const peek = await runs.runner.peek(left!.token)
    expect(peek).toMatchObject({ kind: 'resumable' })
    void runs.runner.resume(left!.token)
    await new Promise(resolve => setImmediate(resolve))
    expect(runs.ran).toEqual([])
  })

  it('before the first pause of a new run is gone on from', async () => {
    const runs = await openRuns()
    runs.deeds.ask = () => undefined
    const reached = new Promise<void>(resolve => {
      runs.deeds.last = () => {
        resolve()
        return never()
      }
    })
    void runs.runner.start('shop/order')
    await reached
    const [left] = crash(runs)
    runs.deeds.last = () => undefined
    runs.ran.length = 0
    expect((await runs.runner.resume(left!.token)).kind).toBe('finished')
    expect(runs.ran).toEqual(['last'])
  })

  it('clears the answer that was claimed, which until then is kept for who takes over', async () => {
    const runs = await openRuns()
    const [left] = await crashIn(runs, 'work', await start(runs))
    expect(left?.answer).toBeUndefined()
    const other = await openRuns()
    const [early] = await crashIn(other, 'ask', await start(other))
    expect(early?.answer).toEqual(ADA.input)
  })

  it('keeps a flow with the browser that it is bound to', async () => {
    const runs = await openRuns()
    runs.deeds.ask = (ctx, input) => {
      if (!input) return outletEmail('ada@example.com', 'link', {}, { link: 'sameBrowser' })
      ctx.name = input.name
    }
    const sent = await runs.runner.start('shop/order')
    const { browser } = sent as { browser?: string }
    const reached = new Promise<void>(resolve => {
      runs.deeds.work = () => {
        resolve()
        return never()
      }
    })
    void runs.runner.resume(runs.mails[0]!.token, { ...ADA, browser })
    await reached
    const [left] = crash(runs)
    expect(await runs.runner.peek(left!.token)).toMatchObject({ reason: 'wrong-browser' })
    expect(await runs.runner.peek(left!.token, { browser })).toMatchObject({ kind: 'resumable' })
  })
})

describe('a heartbeat', () => {
  it('is told while a step takes long, and no more afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const runs = await openRuns({ heartbeatMs: 1000 })
    const token = await start(runs)
    let goOn = () => {}
    runs.deeds.work = () => new Promise<void>(resolve => (goOn = resolve))
    const running = runs.runner.resume(token, ADA)
    await vi.waitFor(() => expect(runs.ran).toContain('work'))
    vi.advanceTimersByTime(3500)
    expect(runs.strategy.beats).toBe(3)
    goOn()
    await running
    vi.advanceTimersByTime(10_000)
    expect(runs.strategy.beats).toBe(3)
  })
})

describe('a claim', () => {
  it('is told what was answered, and by which request', async () => {
    const runs = await openRuns()
    const token = await start(runs)
    await runs.runner.resume(token, { ...ADA, action: 'send', requestId: 'r1' })
    expect(runs.strategy.claimedWith).toEqual([
      { input: { name: 'Ada' }, action: 'send', requestId: 'r1' },
    ])
  })

  it.each([
    ['what onFinished says', { onFinished: () => ({ order: 7 }) }, { data: { order: 7 } }],
    ['what a step has set', {}, { data: { set: true } }],
  ])('is finished with %s', async (_title, overrides, result) => {
    const runs = await openRuns({}, overrides)
    runs.deeds.last = () => useWfFinished().set({ type: 'data', value: { set: true } })
    await runs.runner.resume(await start(runs), ADA)
    expect(runs.strategy.results).toEqual([result])
  })

  it('is finished with the data of an end, and not with how it is answered', async () => {
    const runs = await openRuns()
    runs.deeds.last = () => finishWf({ data: { id: 1 }, message: 'Thank you.', next: '/home' })
    await runs.runner.resume(await start(runs), ADA)
    expect(runs.strategy.results).toEqual([{ data: { id: 1 } }])
  })

  it('is handed over, not finished, when its flow moves to another strategy', async () => {
    const handle = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const clock = new FakeClock()
    const whole = new WholeStrategy(clock)
    const state = { strategies: { whole, handle }, default: 'whole' } as const
    const runs = await openRuns({}, { state })
    runs.deeds.work = (_ctx, input) => {
      swapStrategy('handle')
      return input ? undefined : outletHttp({ ask: 'more' })
    }
    const { token } = paused(await runs.runner.resume(await start(runs), ADA))
    expect(token).toMatch(/^handle\./u)
    expect([whole.handedOver, whole.results]).toEqual([1, []])
    expect((await runs.runner.resume(token, ADA)).kind).toBe('finished')
    expect([whole.handedOver, whole.results]).toEqual([1, []])
  })
})

describe('a step that fails', () => {
  it('is told to be tried again, where the strategy will', async () => {
    const runs = await openRuns({ retryAfterMs: 5000 })
    const token = await start(runs)
    runs.deeds.work = () => {
      throw new Error('The provider is down.')
    }
    expect(await runs.runner.resume(token, ADA)).toEqual({
      kind: 'retrying',
      wfid: 'shop/order',
      flowId: expect.any(String),
      retryAt: runs.clock.now() + 5000,
    })
  })

  it('throws where it will not, and the token works again', async () => {
    const runs = await openRuns()
    const token = await start(runs)
    runs.deeds.work = () => {
      throw new Error('The provider is down.')
    }
    await expect(runs.runner.resume(token, ADA)).rejects.toThrow('The provider is down.')
    runs.deeds.work = () => undefined
    expect((await runs.runner.resume(token, ADA)).kind).toBe('finished')
  })
})

describe('a message', () => {
  it('that goes out later is answered as one that has gone out', async () => {
    const runs = await openRuns({ hasOutbox: true })
    runs.deeds.ask = (ctx, input) => {
      if (!input) return outletEmail('ada@example.com', 'invite', { by: 'shop' })
      ctx.name = input.name
    }
    const sent = await runs.runner.start('shop/order')
    expect(sent).toMatchObject({ kind: 'sent', outlet: 'email' })
    expect(runs.mails).toEqual([])
    const [queued] = runs.strategy.outbox
    expect(queued?.message).toEqual({
      outlet: 'email',
      request: {
        outlet: 'email',
        target: 'ada@example.com',
        template: 'invite',
        context: { by: 'shop' },
      },
    })
    expect((await runs.runner.resume(`default.${queued?.token}`, ADA)).kind).toBe('finished')
  })

  it('that failed too late to be undone leaves the flow where its reader has taken it', async () => {
    const runs = await openRuns(
      {},
      {
        outlets: [
          createEmailOutlet(async ({ token }) => {
            await runs.runner.resume(token, ADA)
            throw new Error('The connection broke.')
          }),
        ],
      },
    )
    const token = await start(runs)
    runs.deeds.ask = (ctx, input) => {
      if (!input?.name) return outletEmail('ada@example.com', 'invite')
      ctx.name = input.name
    }
    const late = await runs.runner.resume(token, { input: { other: 'x' } })
    expect(late).toMatchObject({ kind: 'refused', code: 'WF_OUTLET_FAILED' })
    expect(runs.strategy.results).toHaveLength(1)
    expect(await runs.runner.peek(token)).toMatchObject({ kind: 'refused' })
  })
})

describe('a key', () => {
  it('has one active run', async () => {
    const runs = await openRuns()
    const first = paused(await runs.runner.start('shop/order', { runKey: 'ada' }))
    expect(await runs.runner.start('shop/order', { runKey: 'ada' })).toMatchObject({
      kind: 'refused',
      code: 'WF_CONFLICT',
      reason: 'taken',
    })
    expect((await runs.runner.start('shop/order', { runKey: 'bob' })).kind).toBe('paused')
    await runs.runner.resume(first.token, ADA)
    expect((await runs.runner.start('shop/order', { runKey: 'ada' })).kind).toBe('paused')
  })

  it('is refused by a strategy that would not look at it', async () => {
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const { runner } = await openRuns({}, { state })
    const started = runner.start('shop/order', { runKey: 'ada' })
    await expect(started).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })
})

describe('a step that asks again with keepToken', () => {
  const again = (ctx: Ctx, input: Input) => {
    if (!input?.name) {
      ctx.loops = (ctx.loops ?? 0) + 1
      return outletHttp({ ask: 'name', loops: ctx.loops }, {}, { keepToken: true })
    }
    ctx.name = input.name
  }
  const strategies = {
    handle: () => new HandleStateStrategy({ store: new WfStateStoreMemory() }),
    'handle, stable': () =>
      new HandleStateStrategy({ store: new WfStateStoreMemory(), stable: true }),
  }

  it.each(Object.entries(strategies))('keeps the token alive: %s', async (_title, create) => {
    const runs = await openRuns({}, { state: create() })
    runs.deeds.ask = again
    const { token } = paused(await runs.runner.start('shop/order'))
    const second = paused(await runs.runner.resume(token, { input: {} }))
    expect(second).toMatchObject({ token, payload: { loops: 2 } })
    const third = paused(await runs.runner.resume(token, { input: {} }))
    expect(third).toMatchObject({ token, payload: { loops: 3 } })
    expect((await runs.runner.resume(token, ADA)).kind).toBe('finished')
    expect((await runs.runner.resume(token, ADA)).kind).toBe('refused')
  })

  it('keeps a link of a mail alive, which is told as used only when it is', async () => {
    const ledger = new WfLedgerMemory()
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const runs = await openRuns({}, { state, ledger })
    runs.deeds.ask = (ctx, input) =>
      input ? again(ctx, input) : outletEmail('ada@example.com', 'invite')
    await runs.runner.start('shop/order')
    const { token } = runs.mails[0]!
    expect(paused(await runs.runner.resume(token, { input: {} })).token).toBe(token)
    expect(await runs.runner.peek(token)).toMatchObject({ kind: 'resumable' })
    expect((await runs.runner.resume(token, ADA)).kind).toBe('finished')
    expect(await runs.runner.resume(token, ADA)).toMatchObject({ code: 'WF_USED' })
  })

  it('gets a new token for the next round of a loop, whose last answer was accepted', async () => {
    const approved: unknown[] = []

    @Controller('loop')
    class Loop {
      @Workflow('approve')
      @WorkflowSchema<{ rounds?: number }>([
        { while: ctx => (ctx.rounds ?? 0) < 3, steps: ['ask'] },
      ])
      approve() {}

      @Step('ask')
      ask(
        @WorkflowParam('context') ctx: { rounds?: number },
        @WorkflowParam('input') input: Input,
      ) {
        if (!input) return outletHttp({ ask: ctx.rounds ?? 0 }, {}, { keepToken: true })
        approved.push((ctx.rounds = (ctx.rounds ?? 0) + 1))
      }
    }
    const { app, wf } = buildApp([Loop])
    await app.init()
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const runner = createWfRunner({ state }, wf)
    const { token } = paused(await runner.start('loop/approve'))
    const next = paused(await runner.resume(token, { input: {} }))
    expect(next.token).not.toBe(token)
    expect((await runner.resume(token, { input: {} })).kind).toBe('refused')
    expect(approved).toEqual([1])
  })

  it('leaves the flow where it was if what it asks with cannot be stored', async () => {
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const runs = await openRuns({}, { state })
    runs.deeds.ask = (ctx, input) => {
      if (input) Object.assign(ctx, { huge: 1n })
      return outletHttp({ ask: 'name' }, {}, { keepToken: true })
    }
    const { token } = paused(await runs.runner.start('shop/order'))
    await expect(runs.runner.resume(token, { input: {} })).rejects.toMatchObject({
      code: 'WF_STATE_INVALID',
    })
    expect(await runs.runner.peek(token)).toMatchObject({ kind: 'resumable' })
  })

  it('gets a new token where the strategy cannot, or the step is another one', async () => {
    const replay = new WfLedgerMemory()
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), replay })
    const runs = await openRuns({}, { state })
    runs.deeds.ask = again
    const { token } = paused(await runs.runner.start('shop/order'))
    expect(paused(await runs.runner.resume(token, { input: {} })).token).not.toBe(token)

    const others = await openRuns()
    others.deeds.work = (_ctx, input) => (input ? undefined : again({}, undefined))
    const first = await start(others)
    expect(paused(await others.runner.resume(first, ADA)).token).not.toBe(first)
  })
})
