import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readWhole } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail as a mail server has taken it. */
export interface TakenMail {
  readonly to: string
  readonly text: string
  readonly messageId: string | undefined
  /** As it came over the line. */
  readonly source: string
}

/** A mail server on this machine, for as long as the test runs. */
export async function startMailServer(at = 0) {
  const mails: TakenMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address ?? ''
      void readWhole(stream).then(async source => {
        const { text = '', messageId } = await PostalMime.parse(source)
        mails.push({ to, text, messageId, source })
        done()
      })
    },
  })
  const listening = server.listen(at, '127.0.0.1')
  const close = () => new Promise<void>(resolve => server.close(() => resolve()))
  onTestFinished(close)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return { mails, port, close }
}
