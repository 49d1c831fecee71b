export { openPostgres, type OpenPostgresOptions } from './open-postgres'
export type { PgClient, PgPool, PgQuery, PgResult } from './postgres-pool'
