/** Something whose moment has come. */
export interface DueItem {
  readonly id: string
  /** In milliseconds since the epoch, by the clock of the database. */
  readonly dueAt: number
}

/**
 * What became of something that was due. `left`: others have it, or this build cannot do it. `waiting`: it
 * waits for a person. `failed`: it is noted where it belongs, and logged.
 */
export type DueOutcome = 'done' | 'waiting' | 'failed' | 'left'

/**
 * A kind of things that become due and are done by themselves, such as runs that go on. Any number of
 * processes may look at the same time: what is found is claimed before it is done, and one of them gets it.
 */
export interface DueSource {
  /** Tells its items from those of other sources. */
  readonly kind: string
  /** What is due now by the clock of the database, the earliest first. Costs one indexed query. */
  due(limit: number): Promise<readonly DueItem[]>
  /** Does it, if no other has it. Never throws: what fails is noted, and must not be due at once again. */
  attend(id: string): Promise<DueOutcome>
}
