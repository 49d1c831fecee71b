/** A column that may be shown: what a page of rows needs to know about it. */
export interface WfRowColumn {
  readonly name: string
  /** `@meta.label`, or the name. */
  readonly label: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'timestamp'
  readonly isId: boolean
  readonly nullable: boolean
  /** `@ui.table.hidden`. */
  readonly hidden: boolean
  /** The values that there are, of a union of literals. */
  readonly options?: readonly unknown[] | undefined
  /** The path of the context that a shadow column mirrors. */
  readonly path?: readonly string[] | undefined
}
