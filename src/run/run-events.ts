/** A flow that goes on at another place than it was paused at. */
export interface WfMove {
  readonly schemaId: string
  readonly flowId?: string | undefined
  /** The step that it was paused at. */
  readonly stepId?: string | undefined
  /** `moved`: to that step, where it stands now. `migrated`: as the workflow's migration says. */
  readonly change: 'moved' | 'migrated'
}

/** A workflow that has ended. */
export interface WfFinish {
  readonly schemaId: string
  readonly context: unknown
}
