/** What is needed of a pool of the package pg. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface PgClient {
  query(query: PgQuery): Promise<PgResult>
  release(isBroken?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface PgQuery {
  readonly name?: string | undefined
  readonly text: string
  readonly values: unknown[]
}

export interface PgResult {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}
