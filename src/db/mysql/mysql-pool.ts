/** What is needed of a pool of the package mysql2. That of `mysql2/promise` holds one. */
export interface MysqlPool {
  getConnection(callback: (error: unknown, connection: MysqlConnection) => void): void
  end(callback: (error: unknown) => void): void
}

export interface MysqlPromisePool {
  readonly pool: MysqlPool
}

export interface MysqlConnection {
  // mysql2 has many forms of these; here it is (options, values, callback).
  // oxlint-disable-next-line typescript/no-explicit-any
  query(...args: any[]): unknown
  // oxlint-disable-next-line typescript/no-explicit-any
  execute(...args: any[]): unknown
  unprepare(sql: string): unknown
  release(): void
  destroy(): void
}

export type MysqlCallback = (error: unknown, result: unknown) => void
