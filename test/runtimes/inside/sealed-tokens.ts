import { EncapsulatedStateStrategy, type WfState } from '@atscript/moost-wf/strategies'
import {
  createJoseCipher,
  createNodeCipher,
  type TokenCipherFactory,
} from '@atscript/moost-wf/strategies'

const SECRET = '03ad'.repeat(16)

const OF_NODE = globalThis.process?.getBuiltinModule?.('node:crypto')
/** The ciphers that work here: one needs node:crypto. */
export const CIPHERS: Readonly<Record<string, TokenCipherFactory>> = {
  ...(OF_NODE && { node: createNodeCipher }),
  jose: createJoseCipher,
}

export function openTokens(cipher: string, compress = false): EncapsulatedStateStrategy {
  return new EncapsulatedStateStrategy({ secret: SECRET, cipher: CIPHERS[cipher], compress })
}

/** A token that one runtime has sealed, for others to open. */
export interface SealedToken {
  readonly cipher: string
  readonly compressed: boolean
  readonly token: string
}

/** What stands in each of them. */
export const SEALED_STATE: WfState = {
  schemaId: 'order/coffee',
  indexes: [0, 2],
  context: {
    name: 'Zoë ☕ 👩‍👩‍👧',
    list: [1, 0.1, null, { 'ключ "': '\u2028' }],
    note: 'x'.repeat(500),
  },
}

export async function sealTokens(): Promise<SealedToken[]> {
  const kinds = Object.keys(CIPHERS).flatMap(cipher =>
    [false, true].map(compressed => ({ cipher, compressed })),
  )
  return Promise.all(
    kinds.map(async ({ cipher, compressed }) => ({
      cipher,
      compressed,
      token: await openTokens(cipher, compressed).persist(SEALED_STATE),
    })),
  )
}
