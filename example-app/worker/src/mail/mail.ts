/** A mail. */
export interface Mail {
  /** The same whenever it is tried again: whoever takes it drops what it has seen. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Takes mails. */
export interface MailProvider {
  /** @throws when it does not take it */
  send(mail: Mail): Promise<void>
}
