/** What D1 answers to a statement. */
export interface D1Answer {
  readonly results?: readonly object[] | undefined
  readonly meta: { readonly changes?: number | undefined }
}

/** A statement that D1 has been told of. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement
  all(): Promise<D1Answer>
}

/**
 * What is needed of a D1 database: the binding of a Worker (`env.DB`), one of its sessions
 * (`env.DB.withSession('first-primary')`), or that of miniflare.
 */
export interface D1Binding {
  prepare(sql: string): D1Statement
  // oxlint-disable-next-line typescript/no-explicit-any -- that of Cloudflare's types takes only its own class
  batch(statements: any[]): Promise<readonly D1Answer[]>
}
