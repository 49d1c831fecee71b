/** A row, or a part of one, as it is written. A column whose value is `undefined` is not named. */
export type DbPatch<Row> = { readonly [Column in keyof Row]?: Row[Column] | undefined }
