/** A paused workflow, as JSON. The shape is that of the public Moost packages. */
export interface WfState {
  /** The workflow's id, for example `auth/login`. */
  schemaId: string
  /** Where it waits: a path into the compiled schema. */
  indexes: number[]
  /** What the steps have gathered so far. */
  context: unknown
  /** What the framework and the strategies note about the flow; steps do not see it. */
  meta?: Record<string, unknown> | undefined
}
