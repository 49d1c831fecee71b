/** A step of a workflow and the position at which it stands. */
export interface WfStepPosition {
  readonly stepId: string
  readonly indexes: readonly number[]
}

/** What a build knows about one of its workflows: enough to tell whether a paused state fits. */
export interface WfDescription {
  readonly schemaId: string
  /**
   * A hash over step ids, nesting, kinds and the presence of conditions. Two builds of one source
   * have the same shape, minified or not.
   */
  readonly shape: string
  /** Every step in the order of the schema. */
  readonly steps: readonly WfStepPosition[]
  /** The id of the step at this position; `undefined` when no step stands there. */
  stepIdAt(indexes: readonly number[]): string | undefined
  /** Whether a run can go on from here: at an item, or right behind the last one of its group. */
  hasPosition(indexes: readonly number[]): boolean
}
