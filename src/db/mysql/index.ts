export { openMysql, type OpenMysqlOptions } from './open-mysql'
export type { MysqlConnection, MysqlPool, MysqlPromisePool } from './mysql-pool'
