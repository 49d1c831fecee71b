import type { RunTerm } from '../run'

/** For how long something is left alone that this build cannot do; another build may. */
export const POSTPONE_MS = 30_000

/** Something whose moment has come. */
export interface DueItem {
  readonly id: string
  /** In milliseconds since the epoch, by the clock of the database. */
  readonly dueAt: number
}

/**
 * What became of something that was due.
 *
 * `done`: it is, up to the next pause or the end. `handed on`: its time was over, and it is due again.
 * `waiting`: it waits for a person. `failed`: that is noted where it belongs, and logged. `left`: this build
 * cannot do it. `taken`: another was faster.
 */
export type DueOutcome = 'done' | 'handed on' | 'waiting' | 'failed' | 'left' | 'taken'

/**
 * A kind of things that become due and are done by themselves, such as runs that go on. Any number of
 * processes may look at the same time: what is found is claimed before it is done, and one of them gets it.
 */
export interface DueSource {
  /** Tells its items from those of other sources. */
  readonly kind: string
  /** What is due now by the clock of the database, the earliest first. Costs one indexed query. */
  due(limit: number): Promise<readonly DueItem[]>
  /**
   * The earliest moment of all items, due or not, if that comes within so many milliseconds. Costs one
   * indexed query.
   */
  nextAt(withinMs: number): Promise<number | undefined>
  /**
   * Does it, if no other has it. Never throws: what fails is noted, and must not be due again at once.
   *
   * @param term for how long
   */
  attend(id: string, term: RunTerm): Promise<DueOutcome>
}
