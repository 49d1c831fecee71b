import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface TakenMail {
  readonly id: string
  readonly to: string
  readonly text: string
  readonly authorization: string | undefined
}

/** A provider of mails over HTTP, that is told what to do with the next ones. */
export async function startMailProvider() {
  const taken: TakenMail[] = []
  const held: ServerResponse[] = []
  let mode: 'take' | 'refuse' | 'hold' = 'take'
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const mail = JSON.parse(text) as TakenMail
    taken.push({ ...mail, authorization: request.headers.authorization })
    if (mode === 'hold') held.push(response)
    else response.writeHead(mode === 'take' ? 202 : 500).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/send`,
    /** All that have come, whatever was answered. */
    taken,
    become(next: typeof mode) {
      mode = next
    },
    /** How many wait for their answer. */
    held: () => held.length,
  }
}
