import type { IncomingMessage } from 'node:http'
import { HttpError } from '@wooksjs/event-http'
import { decodersOf } from './content-encoding'
import { askForBody } from './expect-continue'

/** What a body may cost. */
export interface BodyLimits {
  /** Bytes of a compressed body, as they come. */
  readonly maxCompressed: number
  /** Bytes of a body when it is not compressed any more. */
  readonly maxInflated: number
  readonly maxRatio: number
  /** How long the client may be silent; 0 is for ever. */
  readonly readTimeoutMs: number
}

/**
 * Reads a body. Wooks ends the connection when one is too large or too slow, and the client never
 * sees why; this leaves the rest unread, for whoever answers.
 *
 * @throws HttpError 413, 408, 400
 */
export function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const decoders = decodersOf(request.headers['content-encoding'])
  return decoders.length > 0
    ? readCompressed(request, limits, decoders)
    : collect(request, limits.maxInflated, limits.readTimeoutMs)
}

async function readCompressed(
  request: IncomingMessage,
  { maxCompressed, maxInflated, maxRatio, readTimeoutMs }: BodyLimits,
  decoders: ReturnType<typeof decodersOf>,
): Promise<Buffer> {
  const received = await collect(request, maxCompressed, readTimeoutMs)
  let body = received
  for (const decode of decoders) body = await inflateWithin(maxInflated, body, decode)
  if (body.length > received.length * maxRatio) throw tooLarge()
  return body
}

function collect(request: IncomingMessage, most: number, silenceMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > most) return reject(tooLarge())
    askForBody(request)
    const chunks: Buffer[] = []
    let size = 0
    const silence = silenceMs > 0 ? setTimeout(onSilence, silenceMs) : undefined
    request.on('data', onData).on('end', onEnd).on('error', onLoss).on('close', onLoss)
    // Somebody has read it before.
    if (request.readableEnded || request.destroyed) onEnd()

    function onData(chunk: Buffer): void {
      size += chunk.length
      if (size > most) return giveUp(tooLarge())
      silence?.refresh()
      chunks.push(chunk)
    }
    function onEnd(): void {
      stop()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
    }
    function onSilence(): void {
      giveUp(new HttpError(408, 'Request Timeout'))
    }
    function onLoss(): void {
      giveUp(unreadable())
    }
    function giveUp(error: HttpError): void {
      stop()
      request.pause()
      reject(error)
    }
    function stop(): void {
      clearTimeout(silence)
      request.off('data', onData).off('end', onEnd).off('error', onLoss).off('close', onLoss)
    }
  })
}

async function inflateWithin(
  most: number,
  bytes: Buffer,
  decode: ReturnType<typeof decodersOf>[number],
): Promise<Buffer> {
  try {
    return await decode(bytes, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : unreadable()
  }
}

const tooLarge = () => new HttpError(413, 'Payload Too Large')
const unreadable = () => new HttpError(400, 'Bad Request')
