import type { SyncStep } from './sync-step'

/**
 * What `sync` would do, as the text of a migration: for databases that are changed by a tool, such as
 * `wrangler d1 migrations apply`.
 *
 * @returns `''` if there is nothing to do
 * @example
 * ```ts
 * import { migrationText } from '@atscript/moost-wf/db'
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { WfStateRow } from './schemas/WfStateRow.as'
 *
 * // D1 is SQLite, so an empty SQLite database says what an empty D1 database needs.
 * const space = openSqlite(':memory:')
 * space.table(WfStateRow)
 * console.log(migrationText(await space.sync({ dryRun: true })))
 * ```
 */
export function migrationText(steps: readonly SyncStep[]): string {
  return steps.map(({ table, change, sql }) => `-- ${table}: ${change}\n${sql};\n`).join('')
}
