import type { DbFieldType, DbTableType } from '../../db'

type Annotations = Readonly<Record<string, unknown>>

interface SuiteField {
  readonly of: 'string' | 'number' | 'boolean' | 'json'
  readonly optional?: boolean
  readonly annotations?: Annotations
}

/** What a compiled `.as` interface looks like to the table layer, without compiling one. */
export function suiteType(table: string, fields: Record<string, SuiteField>): DbTableType {
  const props = new Map(Object.entries(fields).map(([name, field]) => [name, toField(field)]))
  return { type: { kind: 'object', props }, metadata: metadata({ 'db.table': table }) }
}

function toField({ of, optional = false, annotations = {} }: SuiteField): DbFieldType {
  const json = of === 'json'
  return {
    optional,
    type: json ? { kind: 'object' } : { kind: '', designType: of },
    metadata: metadata(json ? { 'db.json': true, ...annotations } : annotations),
  }
}

const metadata = (annotations: Annotations) => new Map(Object.entries(annotations))

/** A row of the suite's table. */
export interface SuiteRow {
  id: string
  key: string
  version: number
  text?: string | null
  long?: string | null
  ratio?: number | null
  at?: number | null
  flag?: boolean | null
  role: string
  data?: unknown
}

/** One column of each kind, with and without an index, a default and a limit. */
export const SUITE_FIELDS = {
  id: { of: 'string', annotations: { 'meta.id': true, 'db.default.uuid': true } },
  key: { of: 'string', annotations: { 'db.index.unique': [{ name: 'key_idx' }] } },
  version: { of: 'number', annotations: { 'expect.int': true, 'db.default': '1' } },
  text: { of: 'string', optional: true, annotations: { 'db.index.plain': [{ name: 'text_idx' }] } },
  long: { of: 'string', optional: true },
  ratio: { of: 'number', optional: true },
  at: { of: 'number', optional: true, annotations: { 'expect.int': true, 'db.index.plain': [{}] } },
  flag: { of: 'boolean', optional: true },
  role: { of: 'string', annotations: { 'db.default': 'it\'s "quoted"' } },
  data: { of: 'json', optional: true },
} as const satisfies Record<string, SuiteField>

export const SuiteType = suiteType('suite_rows', SUITE_FIELDS)
