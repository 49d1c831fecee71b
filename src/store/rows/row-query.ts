/** What a column may be compared with. `null` is a value: `{ $ne: 'x' }` matches rows without one. */
export interface WfComparison<Value> {
  readonly $eq?: Value | null
  readonly $ne?: Value | null
  readonly $gt?: Value
  readonly $gte?: Value
  readonly $lt?: Value
  readonly $lte?: Value
  readonly $in?: readonly (Value | null)[]
  readonly $nin?: readonly (Value | null)[]
  /** A text that stands somewhere in the column. Not every table knows it. */
  readonly $contains?: Value & string
  readonly $exists?: boolean
  readonly $not?: WfComparison<Value>
}

/** Which rows, by columns that the row has. Keys of one object must all hold. */
export type WfColumnFilter<Row> = {
  readonly [Column in keyof Row]?:
    | NonNullable<Row[Column]>
    | null
    | WfComparison<NonNullable<Row[Column]>>
} & {
  readonly $and?: readonly WfColumnFilter<Row>[]
  readonly $or?: readonly WfColumnFilter<Row>[]
  readonly $not?: WfColumnFilter<Row>
}

/** A store that was not told its row, or told of one that may have any column. */
type IsUntyped<Row> = string extends keyof Row ? true : [keyof Row] extends [never] ? true : false

/** Which rows of a store. Where nothing is known of its row, what the table refuses is told at run time. */
export type WfFilter<Row extends object = object> =
  IsUntyped<Row> extends true ? object : WfColumnFilter<Row>

/** The names of the columns. */
export type WfColumnName<Row extends object = object> =
  IsUntyped<Row> extends true ? string : keyof Row & string

/** What a column holds. */
export type WfColumnValue<Row extends object, Column> = Column extends keyof Row
  ? Row[Column]
  : unknown

/** A row with the selected columns; `Untyped` where nothing is known of it. */
export type WfSelected<Row extends object, Selected, Untyped> =
  IsUntyped<Row> extends true
    ? Untyped
    : { [Column in keyof Row as Column extends Selected ? Column : never]: Row[Column] }

/** Which part of the matching rows, in which order, with which columns. */
export interface WfControls<Row extends object = object, Selected = WfColumnName<Row>> {
  readonly $limit?: number | undefined
  readonly $skip?: number | undefined
  /** `1` from small to large, `-1` the reverse. */
  readonly $sort?: WfSort<Row> | undefined
  /** Only these columns. Without it, all of them. */
  readonly $select?: readonly Selected[] | undefined
}

type WfSort<Row extends object> =
  IsUntyped<Row> extends true
    ? object
    : { readonly [Column in keyof Row]?: 1 | -1 | 'asc' | 'desc' | undefined }

/** Which rows to count. */
export interface WfCountOptions<Row extends object = object> {
  /** Only those of this workflow. */
  readonly schemaId?: string | undefined
  /** Without the key all rows are meant. `filter: undefined` is refused: it is a mistake. */
  readonly filter?: WfFilter<Row>
}

/** Which rows to count, and how many values to tell of. */
export interface WfCountByOptions<Row extends object = object> extends WfCountOptions<Row> {
  /** @default 100 */
  readonly limit?: number | undefined
  /** Not each value, but each range of so many whole numbers, named by the first of them. */
  readonly every?: number | undefined
  /** A column whose smallest value is told with each count. */
  readonly least?: string | undefined
}

/** Which rows to list, and how. */
export interface WfListOptions<
  Row extends object = object,
  Selected = WfColumnName<Row>,
> extends WfCountOptions<Row> {
  readonly controls?: WfControls<Row, Selected> | undefined
}
