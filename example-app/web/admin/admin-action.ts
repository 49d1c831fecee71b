/** What an admin fills in before something is done. */
export interface ActionGiven {
  readonly ttlMs: number
  readonly reason: string
}

/** Something that an admin can do with what is shown. It is asked back first. */
export interface AdminAction {
  readonly name: string
  /** On the button. */
  readonly label: string
  readonly title: string
  readonly confirmText: string
  readonly cancelText?: string
  readonly isDangerous?: boolean
  /** What will happen. */
  readonly text?: string
  /** What is asked for; a span has a legend. */
  readonly asks?: { readonly span: string } | 'reason'
  /** @returns what is said when it is done */
  run(given: ActionGiven): Promise<string>
}
