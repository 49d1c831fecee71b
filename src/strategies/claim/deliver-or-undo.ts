interface Pause<W, R> {
  /** Stores the next state. */
  write(): W | Promise<W>
  /** Announces its token. */
  deliver(written: W): Promise<R>
  /** Makes sure that the new token is never used. `false` if it has been already. */
  kill(written: W): Promise<boolean>
  /** Lets the old token live again. */
  restore(): Promise<void>
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
    try {
      const isDead = written === undefined || (await pause.kill(written))
      if (isDead) await pause.restore()
    } catch (second) {
      throw new AggregateError([error, second], 'A pause could not be undone.', { cause: second })
    }
    throw error
  }
}
