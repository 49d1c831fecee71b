import { createTransport, type Transporter } from 'nodemailer'
import { Mailbox, type ReceivedMail } from './mailbox'
import type { MailText } from './mail-text'

/** Where mails go. */
export interface MailerOptions {
  /** `undefined`: into the built-in mail box, if there is one. */
  readonly smtpUrl?: string
  /** Where that one keeps its mails; `undefined`: there is none. */
  readonly mailboxPath?: string
  /** The host name of the sender's address. */
  readonly domain: string
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends mails. */
export class Mailer {
  readonly #options: MailerOptions
  readonly #pending = new Set<Promise<boolean>>()
  #mailbox?: Mailbox
  #transport?: Transporter

  constructor(options: MailerOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    const { smtpUrl, mailboxPath } = this.#options
    if (smtpUrl === undefined && mailboxPath) this.#mailbox = new Mailbox(mailboxPath)
    const url = smtpUrl ?? (await this.#mailbox?.open())
    if (url) this.#transport = createTransport({ url, ...TIMEOUTS, ignoreTLS: !smtpUrl })
  }

  /** What the built-in mail box has, newest first; `undefined` if mails go elsewhere. */
  received(most?: number): readonly ReceivedMail[] | undefined {
    return this.#mailbox?.list(most)
  }

  /**
   * @param id the same whenever it is tried again: mail systems drop what they have seen
   * @throws when the mail server does not take it
   */
  async send(to: string, { subject, text, html }: MailText, id?: string): Promise<void> {
    if (!this.#transport) throw new Error('There is no mail server: set SMTP_URL.')
    const { domain } = this.#options
    const from = { name: 'moost-wf example', address: `no-reply@${domain}` }
    const messageId = id && `<${id}@${domain}>`
    // As an object: a text could be taken for a list of addresses.
    const recipient = { name: '', address: to }
    await this.#transport.sendMail({ from, to: recipient, subject, text, html, messageId })
  }

  /** Whether the mail server has taken it; if not, the log says why. */
  async trySend(to: string, mail: MailText): Promise<boolean> {
    try {
      await this.send(to, mail)
      return true
    } catch (error) {
      // Without its subject, which may hold a code.
      console.error('A mail could not be sent:', (error as Error).message)
      return false
    }
  }

  /** Sends a mail that nobody waits for: whether and when it goes out is not to be told. */
  sendLater(to: string, mail: MailText): void {
    const sent = this.trySend(to, mail).finally(() => this.#pending.delete(sent))
    this.#pending.add(sent)
  }

  /** Waits for the mails that are on their way. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
    this.#transport?.close()
    await this.#mailbox?.close()
  }
}
