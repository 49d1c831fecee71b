/** How a column's values look in JavaScript, which decides how each database stores them. */
export type ColumnKind = 'string' | 'number' | 'integer' | 'boolean' | 'json'

/** What a column holds when an inserted row does not name it. */
export type ColumnDefault =
  | { readonly literal: string | number | boolean }
  | { readonly generate: 'uuid' | 'now' }

/** A column, read from a field of a `.as` interface. It is named exactly as the field. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  readonly default?: ColumnDefault | undefined
  /** In UTF-16 units. What is indexed has a limit on every database, because some demand one. */
  readonly maxLength?: number | undefined
  /** A string that is indexed, or has a default: some databases want a length for those. */
  readonly isShort?: boolean | undefined
}

/** The limit of an indexed string whose field has no `@expect.maxLength`. */
export const INDEXED_STRING_LENGTH = 255
