import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Lets clients wait that ask before they send a body, until it is read. Node would tell them to go on
 * at once; so one that is too large need not be sent at all. An answer without a go-ahead ends the
 * connection: whether the body still comes is anybody's guess.
 */
export function holdBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
}

/** Tells a client that waits for it to send the body. */
export function askForBody(request: IncomingMessage): void {
  const response = waiting.get(request)
  if (!response) return
  waiting.delete(request)
  response.writeContinue()
}
