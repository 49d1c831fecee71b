/** Names a request, so that a server can tell a retry from a new one: 128 random bits, as no start may be guessed. */
export const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
