import { createHash, randomBytes } from 'node:crypto'
import type { WfPause } from '../state'

const SECRET_BYTES = 32
const OURS = /^[\w-]{43}$/u

/**
 * How a browser is known again: it keeps a secret, and a flow remembers a hash of it. Whoever speaks to
 * a run hands the secret in; how the browser keeps it is not for a run to know.
 */
export interface BrowserMark {
  readonly secret: string
  readonly hash: string
}

/** The mark of a browser that has shown this, or a new one. */
export function browserMark(shown: string | undefined): BrowserMark {
  const isOurs = shown !== undefined && OURS.test(shown)
  const secret = isOurs ? shown : randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, hash: browserHash(secret) }
}

/** Whether a flow may go on in a browser that has shown this. */
export function isRightBrowser(
  shown: string | undefined,
  pause: Pick<WfPause, 'browser'> | undefined,
): boolean {
  return pause?.browser === undefined || isMarked(shown, pause.browser)
}

/**
 * Whether it is the browser that the flow's present form was shown to. If the flow is bound to a
 * browser, it is that one: no other has got so far.
 */
export function isHolder(shown: string | undefined, { holder }: WfPause): boolean {
  return holder !== undefined && isMarked(shown, holder)
}

/** Whether a browser that has shown this is the one with this hash. */
export function isMarked(shown: string | undefined, hash: string): boolean {
  return shown !== undefined && browserHash(shown) === hash
}

/** What is remembered of a browser. */
export function browserHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
