import type { AnyKysely, DbEngine, EngineTraits } from '../db-engine'

/** The database that is to be changed, and what is known of it. */
export interface SyncTarget {
  readonly db: AnyKysely
  readonly engine: DbEngine
  readonly traits: EngineTraits
}
