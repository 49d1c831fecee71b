/** One change that brings the database to what the `.as` files describe. */
export interface SyncStep {
  readonly table: string
  /** For people: `adds the column "inviteEmail"`. */
  readonly change: string
  readonly sql: string
}

export interface SyncOptions {
  /**
   * Find out what there is to do, and do nothing.
   *
   * @default false
   */
  readonly dryRun?: boolean | undefined
  /** Called with each step, before it is done (where all are done at once, behind that). `console.log` of `step.sql` prints the plan. */
  readonly onStep?: ((step: SyncStep) => void) | undefined
}
