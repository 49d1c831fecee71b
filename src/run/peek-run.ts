import { isRefusal, type WfPeek } from '../state'
import { Admission } from './admission'
import type { WfTriggerDeps } from './deps'
import { explainRefusal } from './explain-refusal'
import { rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'

/**
 * Looks at what a token stands for, and leaves it as it is.
 *
 * @throws Rejection if it could not be gone on with here
 */
export async function peekRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: Pick<RunRequest, 'token' | 'browser'>,
): Promise<WfPeek> {
  const found = request.token?.issued
  if (!found) throw rejectionOf({ reason: 'garbled' })
  const peek = await found.strategy.peek(found.raw)
  const { browser } = request
  const refused = isRefusal(peek)
    ? peek
    : new Admission(config, deps, { strategyName: found.name, browser }).admit(peek)
  if (refused) throw rejectionOf(await explainRefusal(config, deps, request, refused))
  return peek as WfPeek
}
