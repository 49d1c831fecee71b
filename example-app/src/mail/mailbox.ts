import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { MailFile } from './mail-file'

/** A mail as it came in. */
export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: string
  /** What names it wherever it goes, without the domain: the same if it was sent twice. */
  readonly messageId: string
  readonly id: string
}

const MAX_BYTES = 2 ** 20

/** A mail server for the demo: takes mails from this machine and keeps the newest of them in a file. */
export class Mailbox {
  readonly #file
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_BYTES,
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        this.#keep(Buffer.concat(chunks)).then(() => done(), done)
      })
    },
  })

  constructor(path: string) {
    this.#file = new MailFile(path)
  }

  /** Starts to listen, and tells where. */
  async open(): Promise<string> {
    await this.#file.open()
    const server = this.#server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A client that hangs up is no reason to go down.
    this.#server.on('error', error => console.error('The mail box:', error.message))
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve())
    })
  }

  /** Newest first. */
  list(most?: number): readonly ReceivedMail[] {
    return this.#file.list(most)
  }

  async #keep(raw: Buffer): Promise<void> {
    const mail = await PostalMime.parse(raw)
    const { to = [], subject = '', text = '', html = '', date, messageId = '' } = mail
    await this.#file.keep({
      to: to.map(toText).join(', '),
      subject,
      text: text.trim(),
      html,
      date: toDate(date),
      messageId: /^<([^@>]*)/u.exec(messageId)?.[1] ?? '',
    })
  }
}

const toText = ({ name, address }: Address): string => address ?? name

const toDate = (date = ''): string => {
  const parsed = new Date(date)
  return (Number.isNaN(parsed.getTime()) ? new Date() : parsed).toISOString()
}
