/** What a cipher is made of. */
export interface TokenCipherOptions {
  /** The first one encrypts, all of them decrypt. */
  readonly secrets: readonly Uint8Array[]
  /** Whether to write compressed tokens, and to read them. */
  readonly compress: boolean
  /** The most that a compressed token may inflate to. */
  readonly maxInflatedBytes: number
}

/**
 * Turns texts into tokens (JWE, compact, `dir`, `A256GCM`) and back. Implementations write the same
 * format: each opens what the other has written and refuses what the other refuses.
 */
export interface TokenCipher {
  /** The ids of the keys that are accepted; the first one encrypts. */
  kids(): readonly string[] | Promise<readonly string[]>
  seal(text: string): string | Promise<string>
  /** `null` for everything that is not a token of ours in its one spelling. */
  open(token: string): string | null | Promise<string | null>
}

export type TokenCipherFactory = (options: TokenCipherOptions) => TokenCipher

/** What is derived from a secret, by HKDF-SHA256 without a salt. */
export const DERIVATION = {
  key: { info: 'moost-wf/v1/A256GCM', bytes: 32 },
  kid: { info: 'moost-wf/v1/kid', bytes: 6 },
} as const

/** The protected header of a token, as the bytes that are authenticated. */
export function protectedHeader(kid: string, compressed: boolean) {
  const header = { alg: 'dir', enc: 'A256GCM', kid } as const
  return compressed ? ({ ...header, zip: 'DEF' } as const) : header
}

export const IV_BYTES = 12
export const TAG_BYTES = 16
