import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Statement {
  bind(...values: unknown[]): Statement
  all(): Promise<{ results: unknown[] }>
}

/** As much of D1 as is needed. */
interface Database {
  prepare(sql: string): Statement
  batch(statements: Statement[]): Promise<unknown>
}

/** The table that wrangler notes them in. */
const NOTES =
  'create table if not exists d1_migrations (id integer primary key autoincrement, ' +
  'name text unique, applied_at timestamp default current_timestamp not null)'

/** Does what `wrangler d1 migrations apply` does. */
export async function applyMigrations(database: Database, folder: string): Promise<void> {
  await database.prepare(NOTES).all()
  const { results } = await database.prepare('select name from d1_migrations').all()
  const applied = new Set((results as { name: string }[]).map(({ name }) => name))
  for (const name of readdirSync(folder).toSorted()) {
    if (applied.has(name) || !name.endsWith('.sql')) continue
    const sql = readFileSync(join(folder, name), 'utf8')
    const statements = sql.split(/;\s*$/mu).filter(text => text.trim() !== '')
    await database.batch([
      ...statements.map(text => database.prepare(text)),
      database.prepare('insert into d1_migrations (name) values (?)').bind(name),
    ])
  }
}
