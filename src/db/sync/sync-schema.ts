import { WfError } from '../../errors'
import type { AnyKysely } from '../db-engine'
import type { TableSchema } from '../schema/table-schema'
import { findDifferences } from './find-differences'
import { planTable } from './plan-table'
import type { PlannedStep } from './planned-step'
import type { SyncTarget } from './sync-target'
import type { SyncOptions, SyncStep } from './sync-step'

/** Brings the database to what the schemas describe, or refuses before anything is changed. */
export async function syncSchema(
  target: SyncTarget,
  schemas: readonly TableSchema[],
  { dryRun = false, onStep }: SyncOptions,
): Promise<SyncStep[]> {
  const sync = async (locked: AnyKysely): Promise<SyncStep[]> => {
    const planned = await plan({ ...target, db: locked }, schemas)
    const { batch } = target.engine
    const isAtOnce = batch && !dryRun && planned.length > 0
    if (isAtOnce) await batch(planned.map(({ query }) => ({ sql: query.sql, values: [] })))
    const done: SyncStep[] = []
    for (const { query, ...step } of planned) {
      const reported = { ...step, sql: query.sql }
      onStep?.(reported)
      if (!dryRun && !batch) await locked.executeQuery(query)
      done.push(reported)
    }
    return done
  }
  return dryRun ? sync(target.db) : target.engine.exclusively(target.db, sync)
}

async function plan(target: SyncTarget, schemas: readonly TableSchema[]): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = []
  const differences: string[] = []
  for (const schema of schemas) {
    const existing = await target.engine.inspect(target.db, schema.name)
    const found = existing ? findDifferences(target, schema, existing) : []
    differences.push(...found.map(difference => `in "${schema.name}" ${difference}`))
    steps.push(...planTable(target, schema, existing))
  }
  if (differences.length === 0) return steps
  throw new WfError(
    'WF_DB_SCHEMA',
    `The database differs from the .as files in a way that adding cannot mend, so nothing was changed: ${differences.join('; ')}.`,
  )
}
