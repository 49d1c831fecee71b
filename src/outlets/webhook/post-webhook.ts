import type { LookupAddress } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address'
import { isLoopback } from './webhook-address'

/** Looks up all addresses of a name. */
export type WebhookLookup = (hostname: string) => Promise<readonly LookupAddress[]>

/** How a webhook is posted. */
export interface PostOptions {
  readonly timeoutMs: number
  readonly lookup?: WebhookLookup | undefined
}

const MOST_ANSWER_BYTES = 64 * 1024

/**
 * Posts a body. The address that was checked is the one that is connected to, whatever the name stands
 * for a moment later. No redirect is followed, and no more is read of an answer than it takes to know it.
 *
 * @throws Error without anything of the message or the answer in it
 */
export async function postWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs, lookup = lookupAll }: PostOptions,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const address = await orTimeOut(findAddress(url, lookup), signal)
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(new TextEncoder().encode(body).length) },
    lookup: pinnedTo(address),
    agent: false,
    signal,
  }
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(url, options, answer => readThrough(answer, resolve, reject))
    sent.on('error', reject)
    sent.end(body)
  })
  if (status < 200 || status > 299) throw new Error(`A webhook was answered ${status}.`)
}

function readThrough(
  answer: IncomingMessage,
  resolve: (status: number) => void,
  reject: (error: Error) => void,
): void {
  let bytes = 0
  answer.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MOST_ANSWER_BYTES) answer.destroy(new Error('The answer to a webhook is too long.'))
  })
  answer.on('end', () => resolve(answer.statusCode ?? 0))
  answer.on('error', reject)
}

/** One address; every one that the name has must be fit, so that no attempt reaches another. */
async function findAddress(url: URL, lookup: WebhookLookup): Promise<LookupAddress> {
  const hostname = url.hostname.replace(/^\[|\]$/gu, '')
  const { isIP } = await import('node:net')
  const literal = isIP(hostname)
  const addresses = literal ? [{ address: hostname, family: literal }] : await lookup(hostname)
  const [first] = addresses
  if (!first) throw new Error('The host of a webhook has no address.')
  if (isLoopback(url)) return first
  for (const { address, family } of addresses) {
    if (!(await isPublicAddress(address, family === 4 ? 4 : 6))) {
      throw new Error('The host of a webhook is in a private network.')
    }
  }
  return first
}

async function lookupAll(hostname: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises')
  return lookup(hostname, { all: true })
}

/** Node asks for the address of a name in two ways. */
function pinnedTo({ address, family }: LookupAddress): LookupFunction {
  return (_hostname, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family)
}

/** A look-up cannot be stopped; nobody waits for it any longer. */
function orTimeOut<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}
