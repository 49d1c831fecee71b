import type { CompiledQuery } from 'kysely'
import type { SyncStep } from './sync-step'

/** A step, ready to run. */
export interface PlannedStep extends Omit<SyncStep, 'sql'> {
  readonly query: CompiledQuery
}
