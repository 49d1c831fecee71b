import { WfError } from '../../errors'
import { sha256 } from '../../state'

const SHORTEST = 32
const BEARER = /^Bearer ([\x21-\x7E]{1,1000})$/iu

/**
 * Knows a shared secret again, in a time that does not tell how much of it was right.
 *
 * @throws WfError `WF_CONFIG`
 */
export function runSecret(secret: string): (authorization: unknown) => Promise<boolean> {
  if (typeof secret !== 'string' || secret.length < SHORTEST) {
    throw new WfError(
      'WF_CONFIG',
      'handleRunRequest needs a secret of 32 or more characters, which the consumer of the queue sends ' +
        'as a bearer token.',
    )
  }
  const expected = sha256(secret)
  return async authorization => {
    const [, given = ''] = BEARER.exec(typeof authorization === 'string' ? authorization : '') ?? []
    return isSame(await sha256(given), await expected)
  }
}

/** Both are digests, so they are equally long. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  }
  return difference === 0
}
