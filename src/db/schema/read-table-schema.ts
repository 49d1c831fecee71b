import { WfError } from '../../errors'
import { LONGEST_KEY, readColumn } from './read-column'
import { readIndexes } from './read-indexes'
import type { TableSchema } from './table-schema'
import type { DbFieldType, DbTableType } from './table-type'

/** What every database takes as a name without surprises: PostgreSQL cuts at 63 bytes. */
const NAME = /^[A-Za-z_]\w{0,62}$/u

/**
 * Reads the table that a compiled `.as` interface describes.
 *
 * @throws WfError `WF_CONFIG`, saying what to change in the `.as` file
 */
export function readTableSchema(type: DbTableType): TableSchema {
  const name = type.metadata?.get('db.table')
  const fields = type.type?.props
  if (typeof name !== 'string' || !fields) {
    throw new WfError(
      'WF_CONFIG',
      "A table is made from an exported interface of a .as file that is annotated with @db.table 'name'.",
    )
  }
  checkName(name, 'table')
  if (/^(?:excluded$|sqlite_)/iu.test(name)) {
    throw new WfError('WF_CONFIG', `A table cannot be named "${name}": the word is taken.`)
  }
  checkColumnNames(name, [...fields.keys()])
  const primaryKey = primaryKeyOf(name, fields)
  const indexes = readIndexes(name, fields)
  const indexed = new Set([...primaryKey, ...indexes.flatMap(index => index.columns)])
  const columns = new Map(
    [...fields].map(([field, of]) => [field, readColumn(field, of, indexed.has(field))]),
  )
  checkKeyLength('its primary key', primaryKey, columns)
  for (const index of indexes) checkKeyLength(`the index "${index.name}"`, index.columns, columns)
  const unique = indexes.filter(index => index.unique).map(index => index.columns)
  return { name, primaryKey, columns, indexes, uniqueKeys: [primaryKey, ...unique] }
}

/** Several fields with `@meta.id` are the key together, in the order of the fields. */
function primaryKeyOf(table: string, fields: ReadonlyMap<string, DbFieldType>): readonly string[] {
  const ids = [...fields].filter(([, field]) => field.metadata.get('meta.id')).map(([name]) => name)
  if (ids.length > 0) return ids
  throw new WfError('WF_CONFIG', `The table "${table}" needs a field with @meta.id.`)
}

function checkKeyLength(
  key: string,
  indexed: readonly string[],
  columns: TableSchema['columns'],
): void {
  const length = indexed.reduce((sum, column) => sum + (columns.get(column)?.maxLength ?? 0), 0)
  if (length <= LONGEST_KEY) return
  throw new WfError(
    'WF_CONFIG',
    `The columns of ${key} have ${length} characters together, and ${LONGEST_KEY} is the most: give them an @expect.maxLength.`,
  )
}

function checkColumnNames(table: string, names: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const name of names) {
    checkName(name, 'column')
    // SQLite and MySQL do not tell such columns apart.
    const twin = seen.get(name.toLowerCase())
    if (twin !== undefined) {
      throw new WfError(
        'WF_CONFIG',
        `The columns "${twin}" and "${name}" of "${table}" differ only in case.`,
      )
    }
    seen.set(name.toLowerCase(), name)
  }
}

function checkName(name: string, what: string): void {
  if (NAME.test(name)) return
  throw new WfError(
    'WF_CONFIG',
    `"${name}" cannot be the name of a ${what}: use up to 63 letters, digits and underscores.`,
  )
}
