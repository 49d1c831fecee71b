import type { Mail, MailProvider } from './mail'

const TIMEOUT_MS = 10_000

/** A provider that takes mails as JSON. Change this one file to what yours takes. */
export class HttpMails implements MailProvider {
  constructor(
    private readonly url: string,
    private readonly key: string | undefined,
  ) {}

  async send(mail: Mail): Promise<void> {
    const headers = new Headers({ 'content-type': 'application/json', 'idempotency-key': mail.id })
    if (this.key) headers.set('authorization', `Bearer ${this.key}`)
    const { ok, status } = await fetch(this.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(mail),
      // A key must not follow to somewhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!ok) throw new Error(`The mail provider has answered ${status}.`)
  }
}
