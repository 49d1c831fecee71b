import { randomUUID } from 'node:crypto'
import { TABLE } from './state-row.mjs'

export const COLUMNS = [
  'handle',
  'schemaId',
  'state',
  'version',
  'expiresAt',
  'updatedAt',
  'createdAt',
  'createdBy',
  'lastUpdatedBy',
  'id',
  'inviteEmail',
  'inviteRole',
]

/** What an upsert writes to a row that is there already; its version goes up as well. */
export const OVERWRITTEN = [
  'schemaId',
  'state',
  'expiresAt',
  'updatedAt',
  'lastUpdatedBy',
  'inviteEmail',
  'inviteRole',
]

/** What one would write by hand, with the quotes and marks of a database. */
export function statements({ quote, mark, upsert }) {
  const table = quote(TABLE)
  const columns = COLUMNS.map(quote).join(', ')
  const where = `where ${quote('handle')} = ${mark(1)}`
  const changes = [
    ...OVERWRITTEN.map(column => `${quote(column)} = ${upsert.written(quote(column))}`),
    `${quote('version')} = ${table}.${quote('version')} + 1`,
  ]
  const marks = COLUMNS.map((_, at) => mark(at + 1)).join(', ')
  return {
    upsert: `insert into ${table} (${columns}) values (${marks}) ${upsert.clause} ${changes.join(', ')}`,
    get: `select ${columns} from ${table} ${where} limit 1`,
    take: `delete from ${table} ${where} returning ${columns}`,
  }
}

/** `on conflict`, as SQLite and PostgreSQL have it. */
export const onConflict = {
  clause: 'on conflict ("handle") do update set',
  written: column => `excluded.${column}`,
}

/** The values of a row in the order of its columns. */
export function toValues(row) {
  return [
    row.handle,
    row.schemaId,
    JSON.stringify(row.state),
    row.version,
    row.expiresAt,
    row.updatedAt,
    row.createdAt,
    row.createdBy,
    row.lastUpdatedBy,
    randomUUID(),
    row.inviteEmail,
    row.inviteRole,
  ]
}

/** A row as a caller wants it. pg gives 64-bit integers as text. */
export function fromRow(row) {
  return {
    handle: row.handle,
    schemaId: row.schemaId,
    state: JSON.parse(row.state),
    version: Number(row.version),
    expiresAt: Number(row.expiresAt),
    updatedAt: Number(row.updatedAt),
    createdAt: Number(row.createdAt),
    createdBy: row.createdBy,
    lastUpdatedBy: row.lastUpdatedBy,
    id: row.id,
    inviteEmail: row.inviteEmail,
    inviteRole: row.inviteRole,
  }
}
