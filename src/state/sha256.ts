type Builtins = Pick<NodeJS.Process, 'getBuiltinModule'>

// Looked up at run time: an import would keep this module from being bundled for other runtimes.
const { getBuiltinModule } = (globalThis.process ?? {}) as Partial<Builtins>
const node = getBuiltinModule?.('node:crypto')

/**
 * SHA-256 in base64url. At once where there is node:crypto: WebCrypto waits on the thread pool that
 * password hashing fills.
 */
export function sha256(text: string): string | Promise<string> {
  return node?.createHash
    ? node.createHash('sha256').update(text, 'utf8').digest('base64url')
    : sha256ByWebCrypto(text)
}

async function sha256ByWebCrypto(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const bytes = String.fromCharCode(...new Uint8Array(digest))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
