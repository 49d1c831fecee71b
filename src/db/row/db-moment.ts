/** A moment by the clock of the database. See `DbSpace.now`; no JSON is taken for it. */
export class DbMoment {
  constructor(
    /** Milliseconds after the moment at which the database runs the statement. */
    readonly offsetMs: number,
  ) {
    if (!Number.isSafeInteger(offsetMs)) {
      throw new TypeError('A moment is a whole number of milliseconds from now.')
    }
  }
}
