import { WfError } from '../errors'
import { isEnd, type WfRunStatus, type WfStoredRun } from '../state'
import type { RunKeeper } from '../worker'

const LOOK_MS = 1000
const DEFAULT_TIMEOUT_MS = 60_000

/** For how long to wait. */
export interface WfResultOptions {
  /** @default 1 minute */
  readonly timeoutMs?: number | undefined
}

/** How a run has ended. */
export interface WfRunEnd {
  readonly status: Extract<WfRunStatus, 'completed' | 'failed' | 'cancelled'>
  /** What it came to. */
  readonly data?: unknown
  /** A step has ended it before its end. */
  readonly aborted?: boolean | undefined
  /** Why, of a run that was aborted. */
  readonly reason?: string | undefined
  /** What a run has failed of. */
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Waits for the end of a run: looks each second, and at once when it ends in this process.
 *
 * @returns `null` if there is no such run
 * @throws WfError `WF_TIMEOUT`
 */
export async function awaitResult(
  { strategy }: RunKeeper,
  flowId: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: WfResultOptions,
): Promise<WfRunEnd | null> {
  const until = performance.now() + timeoutMs
  // It was begun here a moment ago, and its end is told here too: the first look would find nothing new.
  let mayWait = strategy.manage.ends.expects(flowId) && strategy.runs.isForAll?.() === true
  for (;;) {
    const nudge = nudgeOf(strategy, flowId)
    try {
      const run = mayWait ? undefined : await strategy.runs.find(flowId)
      mayWait = false
      if (run === null) return null
      if (run && isEnd(run.status)) return endOf(run)
      const left = until - performance.now()
      if (left <= 0) throw new WfError('WF_TIMEOUT', 'The run has not ended yet.')
      const ended = await nudge.within(Math.min(LOOK_MS, left))
      if (ended) return endOf(ended)
    } finally {
      nudge.end()
    }
  }
}

function endOf({ status, result = {}, lastError }: WfStoredRun): WfRunEnd {
  return { ...result, status, lastError } as WfRunEnd
}

/** Listens before the look, so that no end comes between them. */
function nudgeOf({ manage: { ends } }: RunKeeper['strategy'], flowId: string) {
  let nudged = (_run?: WfStoredRun) => {}
  const told = new Promise<WfStoredRun | undefined>(resolve => {
    nudged = resolve
  })
  const stop = ends.listen(flowId, run => nudged(run))
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    within: (ms: number) => {
      timer = setTimeout(nudged, ms)
      return told
    },
    end: () => {
      clearTimeout(timer)
      stop()
    },
  }
}
