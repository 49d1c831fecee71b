import { useLogger } from '@wooksjs/event-core'
import { useRequest, useResponse } from '@wooksjs/event-http'
import { closeAfter } from '../../http'
import type { RunConfig } from '../../run'

/** For an answer whose end nobody tells of. */
const LONGEST_ANSWER_MS = 1000

/**
 * Does what was asked for when the answer has left, so that nobody learns what came of it from what is said, nor
 * from how long that takes.
 *
 * @param job never rejects
 * @param tooMany what is logged if there is no room for it
 */
export function doBehindAnswer(
  { queue }: NonNullable<RunConfig['fresh']>,
  job: () => Promise<unknown>,
  tooMany: string,
): void {
  const done = queue.add(async () => void (await job()), untilAnswered())
  if (done) closeAfter(useRequest().raw.socket, done)
  else useLogger().warn(tooMany)
}

function untilAnswered(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, LONGEST_ANSWER_MS)
    useResponse()
      .getRawRes(true)
      .once('close', () => {
        clearTimeout(timer)
        resolve()
      })
  })
}
