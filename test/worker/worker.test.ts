import { FakeClock } from '@atscript/moost-wf/testing'
import type { Logger } from '@wooksjs/event-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DueSource, DueWork, runDue, Worker, type WfWorkerOptions } from '../../src/worker'
import { Errands } from '../support/errands'

const BUDGET_MS = 50_000
const EVERY_MS = 1000
const SOON_MS = 25

let clock: FakeClock
let errors: unknown[][]
let logger: Logger

beforeEach(() => {
  clock = new FakeClock()
  errors = []
  logger = { error: (...told: unknown[]) => void errors.push(told) } as unknown as Logger
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  // Looks are spread, later and never earlier.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A worker whose process has this clock. */
function openWorker(sources: readonly DueSource[], processClock = clock) {
  let told = (_inMs: number) => {}
  const work = new DueWork(sources, logger)
  const worker = new Worker(work, {
    now: () => processClock.now(),
    listen: listener => {
      told = listener
      return () => {
        told = () => {}
      }
    },
    logger,
  })
  const start = (options: WfWorkerOptions = {}) => worker.start({ everyMs: EVERY_MS, ...options })
  return { work, worker, start, tell: (inMs = 0) => told(inMs) }
}

/** Lets time pass, and what has begun with it go on. */
async function pass(ms: number) {
  clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** What waits until a test lets it go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('what is due', () => {
  it('is begun the earliest first, whichever source it is of', async () => {
    const order: string[] = []
    const note: DueSource['attend'] = async id => {
      order.push(id)
      return 'done'
    }
    const [runs, mails] = [new Errands(clock, 'run', note), new Errands(clock, 'mail', note)]
    runs.add({ id: 'a', dueAt: 3 }, { id: 'b', dueAt: 1 })
    mails.add({ id: 'a', dueAt: 2 }, { id: 'c', dueAt: clock.now() + 1 })
    const report = await runDue(new DueWork([runs, mails], logger), {})
    expect(order).toEqual(['b', 'a', 'a'])
    expect([runs.begun, mails.begun]).toEqual([['b', 'a'], ['a']])
    expect(report).toEqual({ done: 3, handedOn: 0, waiting: 0, failed: 0, left: 0 })
  })

  it('is counted by what becomes of it, and does not end the others by throwing', async () => {
    const outcomes = ['done', 'handed on', 'waiting', 'failed', 'left', 'taken'] as const
    const errands = new Errands(clock, 'errand', async id => {
      if (id === '6') throw new Error('broken')
      return outcomes[Number(id)]!
    })
    errands.add(...Array.from({ length: 7 }, (_, n) => ({ id: `${n}`, dueAt: n })))
    const report = await runDue(new DueWork([errands], logger), {})
    expect(report).toEqual({ done: 1, handedOn: 1, waiting: 1, failed: 2, left: 2 })
    expect(errors).toHaveLength(1)
  })

  it('is done up to the limit, each once in a call, whatever becomes of it', async () => {
    const errands = new Errands(clock)
    const run = vi.spyOn(errands, 'attend').mockResolvedValue('left')
    errands.add(...Array.from({ length: 50 }, (_, n) => ({ id: `${n}`, dueAt: n })))
    const work = new DueWork([errands], logger)
    expect(await runDue(work, { limit: 30 })).toMatchObject({ left: 30 })
    expect(run).toHaveBeenCalledTimes(30)
    expect(await runDue(work, {})).toMatchObject({ left: 50 })
  })
})

describe('a worker', () => {
  it('looks once in its time while nothing is due, and no more when it is stopped', async () => {
    const errands = new Errands(clock)
    errands.add({ id: 'later', dueAt: clock.now() + 3_600_000 })
    const { worker, start } = openWorker([errands])
    start()
    for (let second = 1; second <= 5; second++) {
      await pass(EVERY_MS - 1)
      expect(errands.looks).toBe(second - 1)
      await pass(1)
      expect(errands.looks).toBe(second)
    }
    await worker.stop()
    await pass(10 * EVERY_MS)
    expect(errands.looks).toBe(5)
  })

  it('spreads its looks, so that processes do not look at the same moment', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999)
    const errands = new Errands(clock)
    openWorker([errands]).start()
    await pass(1098)
    expect(errands.looks).toBe(0)
    await pass(2)
    expect(errands.looks).toBe(1)
  })

  it('wakes up at the next moment, which it has seen coming', async () => {
    const errands = new Errands(clock)
    errands.add({ id: 'soon', dueAt: clock.now() + 1300 })
    openWorker([errands]).start()
    await pass(1000)
    await pass(299)
    expect(errands.begun).toEqual([])
    await pass(1)
    expect(errands.begun).toEqual(['soon'])
  })

  it.each([60_000, -60_000])(
    'does no more than look, late at most, where its clock is wrong by %i ms',
    async wrongBy => {
      const errands = new Errands(clock)
      const processClock = { now: () => clock.now() + wrongBy } as FakeClock
      errands.add({ id: 'soon', dueAt: clock.now() + 4500 })
      openWorker([errands], processClock).start()
      for (let second = 0; second < 6; second++) await pass(1000)
      expect(errands.begun).toEqual(['soon'])
      expect(errands.looks).toBeLessThan(15)
    },
  )

  it('is woken by what becomes due by what its process does', async () => {
    const errands = new Errands(clock)
    const { start, tell } = openWorker([errands])
    start({ everyMs: 60_000 })
    errands.add({ id: 'now', dueAt: clock.now() })
    tell()
    await pass(0)
    expect(errands.begun).toEqual(['now'])
    // Once more behind what it has begun.
    await pass(SOON_MS)
    errands.add({ id: 'soon', dueAt: clock.now() + 200 })
    tell(200)
    const { looks } = errands
    await pass(199)
    expect(errands.looks).toBe(looks)
    await pass(1)
    expect(errands.begun).toEqual(['now', 'soon'])
    await pass(SOON_MS)
    // What is far away costs nothing.
    const before = errands.looks
    tell(3_600_000)
    await pass(1000)
    expect(errands.looks).toBe(before)
  })

  it('is woken although it is looking at that moment', async () => {
    const errands = new Errands(clock)
    const { start, tell } = openWorker([errands])
    start({ everyMs: 60_000 })
    const looking = gate()
    const nextAt = errands.nextAt.bind(errands)
    vi.spyOn(errands, 'nextAt').mockImplementationOnce(async withinMs => {
      const at = await nextAt(withinMs)
      await looking.opened
      return at
    })
    tell()
    await pass(0)
    errands.add({ id: 'now', dueAt: clock.now() })
    tell()
    looking.open()
    await pass(0)
    await pass(0)
    expect(errands.begun).toEqual(['now'])
  })

  it('does so much at once, and goes on with the next as soon as one is done', async () => {
    const gates = Array.from({ length: 30 }, gate)
    const errands = new Errands(clock, 'errand', async id => {
      await gates[Number(id)]!.opened
      return 'done'
    })
    errands.add(...gates.map((_, n) => ({ id: `${n}`, dueAt: n })))
    openWorker([errands]).start({ concurrency: 3 })
    await pass(EVERY_MS)
    expect(errands.begun).toEqual(['0', '1', '2'])
    gates[1]!.open()
    await pass(0)
    expect(errands.begun).toEqual(['0', '1', '2', '3'])
    for (const { open } of gates) open()
    await pass(0)
    await pass(0)
    expect(errands.begun).toHaveLength(30)
    // Not each costs a look.
    expect(errands.looks).toBeLessThan(10)
  })

  it('tries what comes to nothing once in a look, and keeps nothing else waiting', async () => {
    const errands = new Errands(clock)
    const attend = vi.spyOn(errands, 'attend').mockResolvedValue('left')
    errands.add({ id: 'not here', dueAt: 1 }, { id: 'nor this', dueAt: 2 })
    openWorker([errands]).start({ concurrency: 1 })
    await pass(EVERY_MS)
    expect(attend.mock.calls.map(([id]) => id)).toEqual(['not here', 'nor this'])
    await pass(EVERY_MS - 1)
    expect(attend).toHaveBeenCalledTimes(2)
    await pass(1)
    expect(attend).toHaveBeenCalledTimes(4)
  })

  it('looks soon for what has become due while it began with the rest', async () => {
    const errands = new Errands(clock)
    errands.add({ id: 'held soon', dueAt: 1 })
    vi.spyOn(errands, 'attend').mockImplementationOnce(async () => {
      errands.add({ id: 'meanwhile', dueAt: clock.now() + 1 })
      return 'left'
    })
    openWorker([errands]).start()
    await pass(EVERY_MS)
    await pass(SOON_MS)
    expect(errands.begun).toEqual(['meanwhile'])
  })

  it('looks again after a database that does not answer', async () => {
    const errands = new Errands(clock)
    errands.add({ id: 'a', dueAt: 1 })
    vi.spyOn(errands, 'due').mockRejectedValueOnce(new Error('no database'))
    openWorker([errands]).start()
    await pass(EVERY_MS)
    expect([errors.length, errands.begun]).toEqual([1, []])
    await pass(EVERY_MS)
    expect(errands.begun).toEqual(['a'])
  })

  it('refuses what is no option, with a sentence', () => {
    const { start } = openWorker([])
    expect(() => start({ everyMs: 0 })).toThrow('everyMs')
    expect(() => start({ concurrency: 0.5 })).toThrow('concurrency')
    expect(() => start({ budgetMs: -1 })).toThrow('budgetMs')
  })
})

describe('workers at the same rows', () => {
  it('get out of each other’s way: few are found that another has begun', async () => {
    vi.mocked(Math.random).mockRestore()
    const errands = new Errands(clock, 'errand', async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
      return 'done'
    })
    errands.add(...Array.from({ length: 4000 }, (_, n) => ({ id: `${n}`, dueAt: n })))
    const works = Array.from({ length: 10 }, () => new DueWork([errands], logger))
    await Promise.all(works.map(work => runDue(work, { limit: Infinity })))
    expect(new Set(errands.begun).size).toBe(4000)
    expect(errands.begun).toHaveLength(4000)
    expect(errands.lost / 4000).toBeLessThan(0.5)
  })
})

describe('stopping', () => {
  it('waits for what was begun, and begins nothing more', async () => {
    const { opened, open } = gate()
    const errands = new Errands(clock, 'errand', async () => {
      await opened
      return 'done'
    })
    errands.add({ id: 'a', dueAt: 1 })
    const { work } = openWorker([errands])
    const going = runDue(work, {})
    await pass(0)
    errands.add({ id: 'b', dueAt: 2 })
    let isStopped = false
    const stopping = work.stop(5000).then(() => {
      isStopped = true
    })
    await pass(4999)
    expect(isStopped).toBe(false)
    open()
    await stopping
    expect(await going).toMatchObject({ done: 1 })
    expect(errands.begun).toEqual(['a'])
  })

  it('tells what is not done in time to end, and does not wait for ever', async () => {
    const told: string[] = []
    const errands = new Errands(clock, 'errand', async (id, { isOver, cut }) => {
      cut.signal.addEventListener('abort', () => told.push(`${id} ${isOver()}`))
      return new Promise(() => {})
    })
    errands.add({ id: 'a', dueAt: 1 })
    const work = new DueWork([errands], logger)
    void runDue(work, {})
    await pass(0)
    const stopping = work.stop(5000)
    await pass(4999)
    expect(told).toEqual([])
    await pass(1)
    expect(told).toEqual(['a true'])
    await pass(1000)
    await stopping
  })

  it('hands on what has had its time, each after its own', async () => {
    const terms: (() => boolean)[] = []
    const work = new DueWork([], logger)
    for (const budgetMs of [1000, 2000]) {
      void work.attend(`${budgetMs}`, budgetMs, async ({ isOver }) => {
        terms.push(isOver)
        return new Promise(() => {})
      })
    }
    await pass(0)
    const over = () => terms.map(isOver => isOver())
    expect(over()).toEqual([false, false])
    await pass(1000)
    expect(over()).toEqual([true, false])
    await pass(BUDGET_MS)
    expect(over()).toEqual([true, true])
  })
})
