import { attempt, recordOf, textOf } from '../form-view'
import { assertOptions } from './client-options'
import { lookAtWatched } from './look-at-watched'
import { createPace } from './pace'
import { isHidden, onStir } from './page-stirs'
import type { WfWatched, WfWatchOptions, WfWatchState } from './watch-types'

const STATES: readonly unknown[] = [
  'waiting',
  'answered',
  'ended',
  'failed',
  'expired',
  'revoked',
] satisfies WfWatchState[]
const FINAL: readonly unknown[] = ['ended', 'failed', 'expired', 'revoked'] satisfies WfWatchState[]

/**
 * Watches what becomes of something that was sent to someone: by server-sent events where the endpoint
 * has them, else by asking, soon at first and less often later. It rests while nobody sees the page, and
 * looks at once when somebody does, or when the page comes back online.
 *
 * Trouble on the way is no end: it asks again, later. It ends at `ended`, `failed`, `expired` or `revoked`, when
 * the token says nothing any more (410), and when the signal says so.
 *
 * @param listener called with each state that is new
 * @returns the last that was seen, once it has ended; never rejects
 * @throws TypeError for wrong options
 *
 * @example
 * ```ts
 * import { createWfClient, watchWf } from '@atscript/moost-wf/client'
 *
 * const path = '/api/wf'
 * const invite = createWfClient({ path, name: 'users/invite', keepSent: true })
 * const { response } = await invite.start({ email: 'ada@example.com' })
 * if (response?.watch) {
 *   const { watch } = response
 *   void watchWf({ path, watch, forget: invite.forget }, ({ state }) => console.log(state))
 * }
 * ```
 */
export const watchWf = (
  options: WfWatchOptions,
  listener: (seen: WfWatched) => void,
): Promise<WfWatched | undefined> => {
  const {
    path,
    watch,
    signal,
    fetch = globalThis.fetch,
    firstMs = 1000,
    longestMs = 30_000,
    forget,
  } = { ...options }
  assertOptions<WfWatchOptions>({
    path: textOf(path),
    watch: textOf(watch),
    signal: !signal || signal.addEventListener,
    fetch: typeof fetch === 'function',
    firstMs: firstMs > 0 && firstMs < 2 ** 30,
    longestMs: longestMs > 0 && longestMs < 2 ** 30,
    forget: !forget || typeof forget === 'function',
  })
  const url = `${path}${path.includes('?') ? '&' : '?'}watch=${encodeURIComponent(watch)}`
  const pace = createPace(firstMs, longestMs)
  let last: WfWatched | undefined
  let isOver = false
  let mayStream = true
  let turn = new AbortController()

  const stir = () => {
    pace.reset()
    mayStream = true
    turn.abort()
  }

  const tell = (seen: WfWatched) => {
    isOver = FINAL.includes(seen.state)
    if (JSON.stringify(seen) === JSON.stringify(last)) return
    last = seen
    try {
      listener(seen)
    } catch (error) {
      console.error(error)
    }
  }

  /** One look, and the pause behind it. Either ends when the page stirs. */
  const takeTurn = async ({ signal: stirring }: AbortController): Promise<void> => {
    const stirred = new Promise<void>(resolve => {
      stirring.addEventListener('abort', () => resolve())
    })
    if (isHidden()) return stirred
    // Behind an answer there are no events.
    const asksEvents = mayStream && last?.state !== 'answered'
    const since = Date.now()
    let isTold = false
    const look = await Promise.race([
      lookAtWatched(fetch, url, asksEvents, stirring, body => {
        const seen = readWatched(body)
        if (!seen || stirring.aborted) return
        isTold = true
        tell(seen)
        // The rest of a stream is not waited for.
        if (isOver) turn.abort()
      }),
      stirred,
    ])
    if (!look) return
    isOver ||= look.isGone
    if (asksEvents && !(isTold && look.wasStream)) mayStream = false
    // What is not told by events can be asked for at once.
    if (isOver || (asksEvents && !isTold)) return
    if (Date.now() - since > longestMs) pace.reset()
    await Promise.race([sleep(Math.max(pace.nextMs(), look.retryAfterMs), stirring), stirred])
  }

  const run = async () => {
    const rest = onStir(stir)
    signal?.addEventListener('abort', stir)
    const goesOn = () => !isOver && !signal?.aborted
    while (goesOn()) await takeTurn((turn = new AbortController()))
    signal?.removeEventListener('abort', stir)
    rest()
    if (isOver) attempt(() => forget?.(watch))
    return last
  }
  return run()
}

const sleep = (ms: number, ending: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    ending.addEventListener('abort', () => clearTimeout(timer))
  })

/** Nothing for what is none, also where a later server tells more than this page knows. */
const readWatched = (body: unknown): WfWatched | undefined => {
  const { watching, state, at, expiresAt } = recordOf(body)
  if (!watching || !STATES.includes(state)) return undefined
  return { state: state as WfWatchState, at: timeOf(at), expiresAt: timeOf(expiresAt) }
}

const timeOf = (value: unknown) => (typeof value === 'number' ? value : undefined)
