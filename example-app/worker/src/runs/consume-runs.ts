import type { QueuedMessage } from '../worker-events'
import type { LongWork } from './long-work'

type RunExecutor = Pick<LongWork, 'execute' | 'handOn'>

const AGAIN_IN_SECONDS = 5

/**
 * Goes on with the runs of a batch. A message that comes twice does nothing, because the run is held by whoever
 * came first; one that is lost is sent again by the cron trigger.
 */
export async function consumeRuns(
  longWork: RunExecutor,
  messages: readonly QueuedMessage[],
): Promise<void> {
  await Promise.all(messages.map(message => consume(longWork, message)))
}

async function consume(longWork: RunExecutor, message: QueuedMessage): Promise<void> {
  const { flowId } = (message.body ?? {}) as { readonly flowId?: unknown }
  if (typeof flowId !== 'string') {
    console.error('A message of the queue is not one of ours.')
    return message.ack()
  }
  try {
    const { done } = await longWork.execute(flowId)
    if (!done) await longWork.handOn(flowId)
    message.ack()
  } catch (error) {
    console.error(`Run ${flowId} could not go on.`, error)
    message.retry({ delaySeconds: AGAIN_IN_SECONDS })
  }
}
