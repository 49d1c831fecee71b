import type { IncomingMessage, ServerResponse } from 'node:http'

/** How much is read of a body that nobody wants. */
export interface LingerBounds {
  readonly bytes: number
  readonly totalMs: number
  readonly silenceMs: number
}

/** The times are those of nginx' lingering close. */
const BOUNDS: LingerBounds = { bytes: 128 * 2 ** 20, totalMs: 30_000, silenceMs: 5000 }
const LOOK_EVERY_MS = 20

/**
 * Lets a client see an answer that is given before its body has been read. If the server closed at
 * once, what the client still sends would be answered by a reset, which overtakes the answer. So the
 * rest is read and thrown away, within bounds; then the connection goes on, or is cut off.
 */
export function lingerAfterAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  bounds: LingerBounds = BOUNDS,
): void {
  if (!hasBody(request)) return
  // The answer is complete, and the connection still open.
  response.on('prefinish', () => {
    if (!request.complete) linger(request, response, bounds)
  })
}

function linger(request: IncomingMessage, response: ServerResponse, bounds: LingerBounds): void {
  const { socket } = request
  let isLastAnswer = false
  // Node calls this after the last answer on a connection.
  socket.destroySoon = () => {
    isLastAnswer = true
    socket.end()
  }
  response.once('close', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    const isLeft = !request.complete && !isBeingRead(request) && !socket.destroyed
    if (isLeft) throwRestAway(request, bounds, isLastAnswer)
    else if (isLastAnswer) socket.destroySoon()
  })
}

function hasBody({ httpVersionMajor, headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return httpVersionMajor === 1 && (encoding !== undefined || Number(length ?? 0) > 0)
}

/** A handler may answer first and read on. */
function isBeingRead(request: IncomingMessage): boolean {
  return request.listenerCount('data') + request.listenerCount('readable') > 0
}

function throwRestAway(request: IncomingMessage, bounds: LingerBounds, isLastAnswer: boolean) {
  const { socket } = request
  const start = performance.now()
  const before = socket.bytesRead
  let heard = { at: start, bytes: before }
  request.resume()
  const look = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > heard.bytes) heard = { at: now, bytes: socket.bytesRead }
    const isOver = request.complete || socket.destroyed
    const isEnough =
      heard.bytes - before > bounds.bytes ||
      now - start > bounds.totalMs ||
      now - heard.at > bounds.silenceMs
    if (!isOver && !isEnough) return
    clearInterval(look)
    if (isLastAnswer || !isOver) socket.destroy()
  }, LOOK_EVERY_MS)
}
