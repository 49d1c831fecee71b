import type { Awaitable, WfPaused } from '../../state'

interface JointPause<T> {
  /** Writes the next state, calls `announce` with its token, and keeps both or neither. */
  commit(announce: (token: string) => Promise<void>): Promise<unknown>
  deliver(token: string): Awaitable<T>
  /** It was written and could not be delivered, so it is not kept. */
  undelivered(error: unknown): Awaitable<unknown>
  /** It could not be written, or nobody knows. */
  unwritten(error: unknown): Awaitable<unknown>
}

/**
 * A pause that cannot be undone once it is kept: its token is delivered when all is written, and before
 * that is committed.
 *
 * @throws what failed
 */
export async function deliverThenCommit<T>(pause: JointPause<T>): Promise<WfPaused<T>> {
  let delivered: { readonly value: T } | undefined
  let isWritten = false
  try {
    await pause.commit(async token => {
      isWritten = true
      delivered = { value: await pause.deliver(token) }
    })
  } catch (error) {
    await (isWritten && !delivered ? pause.undelivered(error) : pause.unwritten(error))
    throw error
  }
  return { outcome: 'delivered', delivered: delivered!.value }
}
