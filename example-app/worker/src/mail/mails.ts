import type { Settings } from '../settings/settings'
import { HttpMails } from './http-mails'
import type { Inbox } from './inbox'
import type { Mail, MailProvider } from './mail'

/** Sends mails: by the provider, or into the inbox of the demo. */
export class Mails implements MailProvider {
  readonly #provider: MailProvider

  constructor({ mailUrl, mailKey }: Settings, inbox: Inbox) {
    this.#provider = mailUrl === undefined ? inbox : new HttpMails(mailUrl, mailKey)
  }

  send(mail: Mail): Promise<void> {
    return this.#provider.send(mail)
  }
}
