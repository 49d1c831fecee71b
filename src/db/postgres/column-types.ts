import type { ColumnKind } from '../schema/column'

/** What a value of each kind is. */
export const VALUE_TYPES: Readonly<Record<ColumnKind, string>> = {
  string: 'text',
  json: 'text',
  number: 'double precision',
  integer: 'bigint',
  boolean: 'boolean',
}

/** The type of a column. Text is compared and sorted byte by byte, whatever the server's language. */
export const columnType = ({ kind }: { readonly kind: ColumnKind }): string =>
  VALUE_TYPES[kind] === 'text' ? 'text collate "C"' : VALUE_TYPES[kind]
