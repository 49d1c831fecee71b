interface Pause<W, R> {
  /** Stores the next state. */
  write(): W | Promise<W>
  /** Announces its token. */
  deliver(written: W): Promise<R>
  /** Makes sure that the new token is never used. `false` if it has been already. */
  kill(written: W): Promise<boolean>
  /** Lets the old token live again, because of this error. */
  restore(error: unknown): Promise<void>
  /** Called at the end, however it ended. */
  settled?(): void
}

/**
 * What every pause does: store, deliver, and undo both if that fails. First the new token dies, then
 * the old one lives again: never both. If someone has used the new one by then, the flow goes on there.
 *
 * @throws what failed, or an AggregateError when it could not be undone either
 */
export async function deliverOrUndo<W, R>(pause: Pause<W, R>): Promise<R> {
  let written: W | undefined
  try {
    written = await pause.write()
    return await pause.deliver(written)
  } catch (error) {
    let isDead = written === undefined
    try {
      isDead ||= await pause.kill(written as W)
      if (isDead) await pause.restore(error)
    } catch (second) {
      const both = new AggregateError([error, second], 'A pause could not be undone.', {
        cause: second,
      })
      throw isDead ? both : markStanding(both)
    }
    throw isDead ? error : markStanding(error)
  } finally {
    pause.settled?.()
  }
}

const standing = new WeakSet<object>()

function markStanding(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) standing.add(error)
  return error
}

/** Whether a pause has failed so late that its token has been used, or could not be killed. */
export function pauseStands(error: unknown): boolean {
  return typeof error === 'object' && error !== null && standing.has(error)
}
