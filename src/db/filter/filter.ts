import type { DbMoment } from '../row/db-moment'

/** A column of numbers can be compared with a moment. */
type MomentFor<Value> = Value extends number ? DbMoment : never

/** What a column may be compared with. `null` is a value: `{ $ne: 'x' }` matches rows without one. */
export interface DbComparison<Value> {
  readonly $eq?: Value | null
  readonly $ne?: Value | null
  readonly $gt?: Value | MomentFor<Value>
  readonly $gte?: Value | MomentFor<Value>
  readonly $lt?: Value | MomentFor<Value>
  readonly $lte?: Value | MomentFor<Value>
  readonly $in?: readonly (Value | null)[]
  readonly $nin?: readonly (Value | null)[]
  /** A text that stands somewhere in the column, which holds text. Case counts. */
  readonly $contains?: Value & string
  /** Whether the column is not null. */
  readonly $exists?: boolean
  readonly $not?: DbComparison<Value>
}

/**
 * Which rows. Keys of one object must all hold; `{}` matches every row.
 *
 * @example
 * ```ts
 * import type { DbFilter } from '@atscript/moost-wf/db'
 *
 * const paused: DbFilter<{ schemaId: string; amount?: number | null }> = {
 *   schemaId: 'approvals/expense',
 *   $or: [{ amount: { $gte: 1000 } }, { amount: null }],
 * }
 * ```
 */
export type DbFilter<Row> = {
  readonly [Column in keyof Row]?:
    | NonNullable<Row[Column]>
    | null
    | DbComparison<NonNullable<Row[Column]>>
} & {
  readonly $and?: readonly DbFilter<Row>[]
  readonly $or?: readonly DbFilter<Row>[]
  readonly $not?: DbFilter<Row>
}
