import type { DbMoment } from './db-moment'

/** A row, or a part of one, as it is written. A column whose value is `undefined` is not named. */
export type DbPatch<Row> = {
  readonly [Column in keyof Row]?: Row[Column] | MomentFor<Row[Column]> | undefined
}

/** A column of numbers can be set to a moment. */
type MomentFor<Value> = number extends Value ? DbMoment : never
