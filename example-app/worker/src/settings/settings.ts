/** How this Worker was set up. */
export interface Settings {
  /** The first one seals, all of them open. */
  readonly secrets: readonly string[]
  /** The origin where users find it. */
  readonly publicUrl: string
  /** Whether that is this machine: then there are accounts that everybody knows. */
  readonly isDemo: boolean
  /** Takes mails; without one they are kept in the inbox of the demo. */
  readonly mailUrl: string | undefined
  readonly mailKey: string | undefined
  readonly hasInbox: boolean
  readonly runBudgetMs: number
}
