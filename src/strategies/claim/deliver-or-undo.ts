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
  let writing: Awaitable<W>
  try {
    writing = pause.write()
  } catch (error) {
    return undo(pause, undefined, error)
  }
  if (!isAwaited(writing)) return deliverWritten(pause, { value: writing })
  return Promise.resolve(writing).then(
    value => deliverWritten(pause, { value }),
    (error: unknown) => undo(pause, undefined, error),
  )
}

interface Written<W> {
  readonly value: W
}

function deliverWritten<W, R>(pause: Pause<W, R>, written: Written<W>): Awaitable<WfPaused<R>> {
  try {
    const delivering = pause.deliver(written.value)
    if (!isAwaited(delivering)) return settle(pause, delivering)
    return Promise.resolve(delivering).then(
      delivered => settle(pause, delivered),
      (error: unknown) => undo(pause, written, error),
    )
  } catch (error) {
    return undo(pause, written, error)
  }
}

function settle<W, R>(pause: Pause<W, R>, delivered: R): WfPaused<R> {
  pause.settled?.()
  return { outcome: 'delivered', delivered }
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
