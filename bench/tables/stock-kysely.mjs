import { randomUUID } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { COLUMNS, fromRow, OVERWRITTEN } from './hand-written.mjs'
import { TABLE } from './state-row.mjs'

const version = sql`${sql.ref(`${TABLE}.version`)} + 1`
const changes = written => ({
  ...Object.fromEntries(OVERWRITTEN.map(column => [column, written(column)])),
  version,
})

const UPSERTS = {
  'on conflict': insert =>
    insert.onConflict(on =>
      on.column('handle').doUpdateSet(eb => changes(column => eb.ref(`excluded.${column}`))),
    ),
  'on duplicate key': insert =>
    insert.onDuplicateKeyUpdate(changes(column => sql`values(${sql.ref(column)})`)),
}

/** The cycle as it is written with Kysely, which builds each query anew. */
export function stockKysely(dialect, upsert) {
  const db = new Kysely({ dialect })
  return {
    upsert: row =>
      UPSERTS[upsert](
        db.insertInto(TABLE).values({ ...row, id: randomUUID(), state: JSON.stringify(row.state) }),
      ).execute(),
    async get(handle) {
      const query = db.selectFrom(TABLE).select(COLUMNS).where('handle', '=', handle).limit(1)
      return fromRow(await query.executeTakeFirst())
    },
    async take(handle) {
      const query = db.deleteFrom(TABLE).where('handle', '=', handle).returning(COLUMNS)
      return fromRow(await query.executeTakeFirst())
    },
    close: () => db.destroy(),
  }
}
