import { useLogger } from '@wooksjs/event-core'
import { type OpenRun, Rejection, settleUnasked, takeUpRun, type TakenUp } from '../run'
import type { WfDueRun } from '../state'
import type { RunsOf } from './start-run'

/** For how long a run is left alone that this build cannot go on with; another build may. */
const POSTPONE_MS = 30_000

/** What became of a run that was due. */
export type Recovered = 'gone on' | 'waiting' | 'failed' | 'left'

/**
 * Goes on with a run that is due. Never throws: what fails is noted on the run, and logged.
 *
 * @param actor in the history
 */
export function recoverRun(
  runs: RunsOf,
  { flowId }: Pick<WfDueRun, 'flowId'>,
  actor: string,
): Promise<Recovered> {
  const { config, deps, keeper } = runs
  return orLog(runs, flowId, async () => {
    const taken = await takeUpRun(config, deps, { strategy: keeper.name, flowId, actor })
    return taken.kind === 'refused' ? leave(runs, flowId, taken) : HOW[taken.kind]
  })
}

/** Goes on with a run that was started here. Never throws either. */
export function goOn(runs: RunsOf, run: OpenRun): Promise<Recovered> {
  const { config, deps } = runs
  const { flowId } = run.notes.flow
  return orLog(runs, flowId, async () => HOW[(await settleUnasked(config, deps, run)).kind])
}

const HOW = { settled: 'gone on', waiting: 'waiting' } as const

async function orLog(
  runs: RunsOf,
  flowId: string,
  work: () => Promise<Recovered>,
): Promise<Recovered> {
  try {
    return await work()
  } catch (error) {
    // It was cancelled, or another has it: that is no failure.
    if (error instanceof Rejection) return 'left'
    useLogger().error(`Run ${flowId} could not go on`, error)
    // A store that does not answer is tried again by the next look.
    await putOff(runs, flowId, 'WF_INTERNAL').catch(() => {})
    return 'failed'
  }
}

/** What is not for this build is kept, and named. */
async function leave(
  runs: RunsOf,
  flowId: string,
  { reason }: Extract<TakenUp, { kind: 'refused' }>,
): Promise<Recovered> {
  // Somebody else has it, or has ended it.
  if (reason === 'busy' || reason === 'gone' || reason === 'used' || reason === 'revoked') {
    return 'left'
  }
  await putOff(runs, flowId, reason === 'not-allowed' ? 'WF_NOT_ALLOWED' : 'WF_DEFINITION_CHANGED')
  useLogger().warn(`Run ${flowId} cannot go on in this build: ${reason}.`)
  return 'left'
}

/** What stays due must not hide the others that are. */
async function putOff({ keeper, config }: RunsOf, flowId: string, code: string): Promise<void> {
  const { runs } = keeper.strategy
  const run = await runs.find(flowId, { everywhere: true })
  const at = Math.floor(config.clock.now())
  if (run) await runs.postpone(run, POSTPONE_MS, { code, at })
}
