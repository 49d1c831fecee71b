const TIME_DIGITS = 12
/** Where the random part begins in what `crypto.randomUUID` makes, behind its version. */
const RANDOM_FROM = 15

/**
 * An id for a flow: a UUID of version 7. It begins with the time, so that runs which begin one after the
 * other are neighbours in the table and in its indexes. It is no secret, and opens nothing.
 */
export function newFlowId(now: number = Date.now()): string {
  const time = Math.floor(now).toString(16).padStart(TIME_DIGITS, '0')
  const random = globalThis.crypto.randomUUID().slice(RANDOM_FROM)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`
}
