import type { RunPlace, SettledRun } from './execute-run'
import { answerLikeStart } from './like-a-start'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { KeyTaken } from './start-key'
import { openWatch } from './watch'
import { newWatchToken } from './watch-token'

/** The key may be free again each time that one looks. */
const MOST_TRIES = 5

/** Runs what may start a run with a key, and answers whoever finds the key taken. */
export async function executeKeyed<P>(
  config: RunConfig,
  { browser }: Pick<RunRequest, 'browser'>,
  place: Pick<RunPlace<P>, 'plan' | 'key'>,
  execute: () => Promise<SettledRun<P>>,
): Promise<SettledRun<P>> {
  const beganAt = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      const settled = await execute()
      if (!settled.ended) config.pace.note(settled.wfid, performance.now() - beganAt)
      return settled
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      if (error.isJoined) return join(config, error, place)
      if (!error.isHidden || tries === MOST_TRIES) throw error
      const answered = await answerLikeStart(config, { taken: error, browser, beganAt }, place)
      if (answered) return answered
    }
  }
}

async function join<P>(
  config: RunConfig,
  { owner, start, key }: KeyTaken,
  place: Pick<RunPlace<P>, 'plan'>,
): Promise<SettledRun<P>> {
  const { wfid, name } = start
  const { flowId } = owner!
  const watched = { wfid, flowId, strategy: name }
  const watch = key.isHidden && (await openWatch(config, newWatchToken(), watched))
  const planned = place.plan({ kind: 'joined', watch: watch || undefined })
  return { wfid, flowId, planned, ended: false }
}
