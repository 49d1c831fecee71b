import { WfError } from '../errors'
import { isRecord, sleep } from '../state'
import type { ManageRunOptions } from '../strategies'
import type { RunKeeper } from '../worker'

const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 250
const PATIENCE_MS = 10_000

/**
 * Notes what a step has come to, under its id in `steps` of the context. Results that arrive at the same
 * time are all there in the end.
 *
 * @returns the run's version now; `null` if there is no such run
 * @throws WfError `WF_CONFLICT` if others were always faster, `WF_STATE_INVALID` if the context is no record
 */
export async function recordResult(
  { strategy }: RunKeeper,
  flowId: string,
  stepId: string,
  output: unknown,
  options: ManageRunOptions,
): Promise<number | null> {
  const completedAt = new Date(strategy.runs.clock.now()).toISOString()
  const merge = (context: unknown) => withResult(context, stepId, { output, completedAt })
  const until = performance.now() + PATIENCE_MS
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await strategy.manage.update(flowId, undefined, merge, options)
    } catch (error) {
      const isRace = error instanceof WfError && error.code === 'WF_CONFLICT'
      // Within a transaction, the same would be read again.
      if (!isRace || options.within || performance.now() >= until) throw error
    }
    await sleep(waitMs * (0.5 + Math.random()))
  }
}

function withResult(context: unknown, stepId: string, result: object): unknown {
  if (!isRecord(context)) {
    throw new WfError('WF_STATE_INVALID', 'The context of this run is no record.')
  }
  const steps = isRecord(context.steps) ? context.steps : {}
  return { ...context, steps: { ...steps, [stepId]: { status: 'completed', ...result } } }
}
