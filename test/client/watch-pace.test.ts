import { type WfFetch, type WfWatchOptions, watchWf } from '@atscript/moost-wf/client'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

/** A page that can be hidden, shown, and told to be online. */
class Page extends EventTarget {
  visibilityState = 'visible'

  show(visibilityState: 'visible' | 'hidden'): void {
    this.visibilityState = visibilityState
    this.dispatchEvent(new Event('visibilitychange'))
  }

  comeOnline(): void {
    this.dispatchEvent(new Event('online'))
  }
}

function openPage(): Page {
  const page = new Page()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  return page
}

const HOUR_MS = 60 * 60_000
const WAITING = () => Response.json({ watching: true, state: 'waiting' })

/** Watches something that waits, and notes when it is asked for, in milliseconds of a fake clock. */
function watchWaiting(answer: (count: number) => Response = WAITING, options = {}) {
  const start = Date.now()
  const times: number[] = []
  const signals: AbortSignal[] = []
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const fetch: WfFetch = async (_url, { signal }) => {
    times.push(Date.now() - start)
    signals.push(signal)
    return answer(times.length)
  }
  const all: WfWatchOptions = { path: '/wf', watch: 'token', fetch, signal: ending.signal }
  void watchWf({ ...all, ...options }, () => {})
  return { times, signals, end: () => ending.abort() }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A stream that tells once that it waits, and shows signs of life. */
function liveStream(beatMs = 15_000) {
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setInterval> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('data: {"watching":true,"state":"waiting"}\n\n'))
      timer = setInterval(() => controller.enqueue(encoder.encode(':\n\n')), beatMs)
    },
    cancel: () => clearInterval(timer),
  })
  onTestFinished(() => clearInterval(timer))
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** As a browser does it: what is aborted breaks off. */
const abortable = (response: Response, signal: AbortSignal): Response => {
  const reader = response.body!.getReader()
  const broken = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), broken])
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  return new Response(body, { headers: response.headers })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => void vi.useRealTimers())
})

describe('the looks', () => {
  it('come soon at first and later less often, but never less than every half minute', async () => {
    const { times } = watchWaiting()
    await pass(5000)
    expect(times).toEqual([0, 1000, 2500, 4750])
    await pass(10 * 60_000)
    const gaps = times.slice(1).map((time, index) => time - times[index]!)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    expect(gaps.at(-1)).toBe(30_000)
  })

  it('of pages that were opened together do not come together', async () => {
    vi.mocked(Math.random).mockReturnValue(0)
    const one = watchWaiting()
    await pass(1300)
    vi.mocked(Math.random).mockReturnValue(0.999)
    const other = watchWaiting()
    await pass(1300)
    expect(one.times[1]).toBe(750)
    expect(other.times[1]).toBeGreaterThan(1200)
    expect(other.times[1]).toBeLessThan(1250)
  })

  it('come as the page wants them', async () => {
    const { times } = watchWaiting(WAITING, { firstMs: 4000, longestMs: 4000 })
    await pass(12_000)
    expect(times).toEqual([0, 4000, 8000, 12_000])
  })

  it('wait for as long as the server says', async () => {
    const busy = () => new Response('{}', { status: 429, headers: { 'retry-after': '20' } })
    const { times } = watchWaiting(count => (count === 2 ? busy() : WAITING()))
    await pass(30_000)
    expect(times.slice(0, 3)).toEqual([0, 1000, 21_000])
  })

  it.each(['-1', 'Wed, 21 Oct 2026 07:28:00 GMT', '86400', '1e9', 'soon'])(
    'are not put off by a server that says %s',
    async after => {
      const busy = () => new Response('{}', { status: 429, headers: { 'retry-after': after } })
      const { times } = watchWaiting(count => (count === 2 ? busy() : WAITING()))
      await pass(302_000)
      expect(times.length).toBeGreaterThan(2)
    },
  )
})

describe('a page that nobody sees', () => {
  it('rests, and looks at once when it is seen again, and soon after', async () => {
    const page = openPage()
    const { times } = watchWaiting()
    await pass(1000)
    expect(times).toEqual([0, 1000])
    page.show('hidden')
    await pass(60 * 60_000)
    expect(times).toHaveLength(2)
    page.show('visible')
    await pass(1000)
    expect(times.slice(2)).toEqual([60 * 60_000 + 1000, 60 * 60_000 + 2000])
  })

  it('does not look before it is seen', async () => {
    const page = openPage()
    page.visibilityState = 'hidden'
    const { times } = watchWaiting()
    await pass(60_000)
    page.comeOnline()
    await pass(60_000)
    expect(times).toEqual([])
    page.show('visible')
    await pass(0)
    expect(times).toHaveLength(1)
  })

  it('leaves its stream, and opens another when it is seen again', async () => {
    const page = openPage()
    const { times, signals } = watchWaiting(() => liveStream())
    await pass(60_000)
    expect(times).toEqual([0])
    page.show('hidden')
    expect(signals[0]?.aborted).toBe(true)
    await pass(60_000)
    expect(times).toHaveLength(1)
    page.show('visible')
    await pass(0)
    expect(times).toHaveLength(2)
  })

  it('can end while it is not seen', async () => {
    const page = openPage()
    page.visibilityState = 'hidden'
    const removed = vi.spyOn(page, 'removeEventListener')
    const { times, end } = watchWaiting()
    end()
    await pass(0)
    page.show('visible')
    await pass(60_000)
    expect(times).toEqual([])
    expect(removed).toHaveBeenCalled()
  })
})

describe('a page that comes back online', () => {
  it('looks at once, and soon after', async () => {
    const page = openPage()
    const { times } = watchWaiting()
    await pass(60_000)
    const { length } = times
    page.comeOnline()
    await pass(1000)
    expect(times.slice(length)).toEqual([60_000, 61_000])
  })
})

describe('a server that says nothing', () => {
  it('is left after half a minute, and asked again', async () => {
    const start = Date.now()
    const times: number[] = []
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const fetch: WfFetch = (_url, { signal }) => {
      times.push(Date.now() - start)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    void watchWf({ path: '/wf', watch: 'token', fetch, signal: ending.signal }, () => {})
    await pass(62_000)
    // Without a pause where it was a stream that was asked for.
    expect(times).toEqual([0, 30_000, 61_000])
  })
})

describe('a stream', () => {
  it('is left when it is silent, and it is asked instead', async () => {
    const answers = [() => liveStream(HOUR_MS), WAITING, WAITING]
    const start = Date.now()
    const asked: [number, string | undefined][] = []
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const fetch: WfFetch = async (_url, { headers, signal }) => {
      asked.push([Date.now() - start, headers.accept])
      const response = (answers.shift() ?? WAITING)()
      return asked.length === 1 ? abortable(response, signal) : response
    }
    void watchWf({ path: '/wf', watch: 'token', fetch, signal: ending.signal }, () => {})
    await pass(32_000)
    expect(asked.slice(0, 2)).toEqual([
      [0, 'text/event-stream, application/json'],
      [31_000, 'application/json'],
    ])
  })
})
