import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 24
/** No dot, so that it is never taken for a token of a flow, and shorter than the mark of a browser. */
const OURS = /^[\w-]{32}$/u
/** 132 bits: the hash travels in states, some of which are tokens in links. */
const HASH_LENGTH = 22

/** By which someone sees what becomes of a pause, and nothing else. */
export interface WatchToken {
  readonly text: string
  /** All that is kept of it. */
  readonly hash: string
}

export function newWatchToken(): WatchToken {
  const text = randomBytes(SECRET_BYTES).toString('base64url')
  return { text, hash: hashOf(text) }
}

/** The same for the same token of a flow, which cannot be found by it. */
export function watchTokenFor(token: string): WatchToken {
  const digest = createHash('sha256').update(`watch the run of ${token}`).digest()
  const text = digest.subarray(0, SECRET_BYTES).toString('base64url')
  return { text, hash: hashOf(text) }
}

/** `undefined` for what cannot be one: it may be anything that a request has brought. */
export function readWatchToken(text: unknown): WatchToken | undefined {
  return typeof text === 'string' && OURS.test(text) ? { text, hash: hashOf(text) } : undefined
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH)
}
