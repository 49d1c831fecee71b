import type { Database } from '../database/database'
import type { Mail, MailProvider } from './mail'

const SHOWN = 50

/** The built-in inbox of the demo: a table. */
export class Inbox implements MailProvider {
  constructor(
    private readonly database: Database,
    /** Anywhere but in the demo it takes nothing, and shows nothing. */
    readonly isOpen: boolean,
  ) {}

  async send({ id, to, subject, text }: Mail): Promise<void> {
    if (!this.isOpen) throw new Error('There is no inbox here.')
    const row = { id, recipient: to, subject, text, sentAt: Date.now() }
    await this.database.mails.upsertOne(row, { conflict: ['id'] })
  }

  /** The newest first. */
  async list() {
    const rows = await this.database.mails.findMany({
      filter: {},
      controls: { $sort: { sentAt: -1 }, $limit: SHOWN },
    })
    return rows.map(({ recipient, subject, text, sentAt }) => ({
      to: recipient,
      subject,
      text,
      sentAt,
    }))
  }
}
