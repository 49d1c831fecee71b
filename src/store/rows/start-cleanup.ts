import type { WfCleanupOptions } from './cleanup-rows'

/** How often to clean up, and what. */
export interface WfStartCleanupOptions extends WfCleanupOptions {
  /** Milliseconds between two cleanups, give or take a tenth, so that many nodes do not coincide. */
  readonly everyMs: number
  /** @default console.error */
  readonly onError?: ((error: unknown) => void) | undefined
}

const JITTER = 0.1
/** Twenty days; a timer of more than 31 bits would fire at once. */
const LONGEST_TIMER_MS = 20 * 24 * 60 * 60_000

/** Calls `cleanup` again and again, never twice at once, and does not keep the process alive. */
export function startCleanup(
  cleanup: (options: WfCleanupOptions) => Promise<number>,
  { everyMs, onError = logError, ...options }: WfStartCleanupOptions,
): () => void {
  if (!(everyMs >= 1 && everyMs <= LONGEST_TIMER_MS)) {
    throw new TypeError(`everyMs is a number from 1 to ${LONGEST_TIMER_MS}.`)
  }
  let timer: ReturnType<typeof setTimeout>
  let stopped = false
  const next = () => {
    const pause = everyMs * (1 - JITTER + 2 * JITTER * Math.random())
    timer = setTimeout(run, pause)
    // Not every runtime's timers keep a process alive.
    ;(timer as { unref?(): void }).unref?.()
  }
  const run = async () => {
    try {
      await cleanup(options).catch(onError)
    } catch (error) {
      logError(error)
    }
    if (!stopped) next()
  }
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

function logError(error: unknown): void {
  console.error('[moost-wf] The cleanup of workflow states failed:', error)
}
