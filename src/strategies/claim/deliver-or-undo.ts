import { type Awaitable, isAwaited, type WfPaused } from '../../state'

interface Pause<W, R> {
  /** Stores the next state. */
  write(): Awaitable<W>
  /** Announces its token. */
  deliver(written: W): Awaitable<R>
  /** Makes sure that the new token is never used. `false` if it has been already. */
  kill(written: W): Awaitable<boolean>
  /** Lets the old token live again, because of this error. */
  restore(error: unknown): Awaitable<void>
  /** Called at the end, however it ended. */
  settled?(): void
}

/**
 * What every pause does: store, deliver, and undo both if that fails. First the new token dies, then
 * the old one lives again: never both. If someone has used the new one by then, the flow goes on there,
 * and the pause stands.
 *
 * @throws what failed, or an AggregateError when the old token could not be brought back either
 */
export function deliverOrUndo<W, R>(pause: Pause<W, R>): Awaitable<WfPaused<R>> {
  let written: Written<W> | undefined
  try {
    const writing = pause.write()
    if (isAwaited(writing)) return deliverOnceWritten(pause, writing)
    written = { value: writing }
    const delivering = pause.deliver(writing)
    if (isAwaited(delivering)) return settleOnceDelivered(pause, written, delivering)
    pause.settled?.()
    return { outcome: 'delivered', delivered: delivering }
  } catch (error) {
    return undo(pause, written, error)
  }
}

interface Written<W> {
  readonly value: W
}

async function deliverOnceWritten<W, R>(
  pause: Pause<W, R>,
  writing: Promise<W>,
): Promise<WfPaused<R>> {
  let written: Written<W> | undefined
  try {
    written = { value: await writing }
    const delivering = pause.deliver(written.value)
    const delivered = isAwaited(delivering) ? await delivering : delivering
    pause.settled?.()
    return { outcome: 'delivered', delivered }
  } catch (error) {
    return undo(pause, written, error)
  }
}

async function settleOnceDelivered<W, R>(
  pause: Pause<W, R>,
  written: Written<W>,
  delivering: Promise<R>,
): Promise<WfPaused<R>> {
  try {
    const delivered = await delivering
    pause.settled?.()
    return { outcome: 'delivered', delivered }
  } catch (error) {
    return undo(pause, written, error)
  }
}

async function undo<W, R>(
  pause: Pause<W, R>,
  written: Written<W> | undefined,
  error: unknown,
): Promise<WfPaused<R>> {
  try {
    const alive = written && (await killOrTell(pause, written.value, error))
    if (alive) return { outcome: 'stands', error: alive.error }
    await restoreOrTell(pause, error)
    throw error
  } finally {
    pause.settled?.()
  }
}

/** What to tell if the new token is not known to be dead. */
async function killOrTell<W, R>(
  pause: Pause<W, R>,
  written: W,
  error: unknown,
): Promise<{ readonly error: unknown } | null> {
  try {
    return (await pause.kill(written)) ? null : { error }
  } catch (second) {
    return { error: bothErrors(error, second) }
  }
}

async function restoreOrTell<W, R>(pause: Pause<W, R>, error: unknown): Promise<void> {
  try {
    await pause.restore(error)
  } catch (second) {
    throw bothErrors(error, second)
  }
}

function bothErrors(error: unknown, second: unknown): AggregateError {
  return new AggregateError([error, second], 'A pause could not be undone.', { cause: second })
}
