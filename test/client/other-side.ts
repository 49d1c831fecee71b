import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it has come over the wire. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever came
  readonly body: any
}

/** The other side of the wire: a server that answers as a test tells it to. */
export interface OtherSide {
  readonly url: string
  readonly received: Received[]
  /** How many of its answers have not ended, on either side. */
  open(): number
  answer: (request: Received, response: ServerResponse) => unknown
}

export async function openOtherSide(answer: OtherSide['answer']): Promise<OtherSide> {
  const received: Received[] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method = '', url = '', headers } = request
    const got = { method, url, headers, body: text ? JSON.parse(text) : undefined }
    received.push(got)
    await side.answer(got, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const side: OtherSide = {
    url: `http://127.0.0.1:${port}`,
    received,
    open: () => open.size,
    answer,
  }
  return side
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer that refuses, as the endpoint has it. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  told: object = {},
): void {
  const message = 'No.'
  sendJson(response, status, { message, error: { code, message, status, ...told } })
}
