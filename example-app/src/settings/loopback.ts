import { isIP } from 'node:net'

/** Whether a host is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/u, '$1').toLowerCase()
  if (isIP(bare) === 0) return bare === 'localhost' || bare.endsWith('.localhost')
  return bare === '::1' || bare.startsWith('127.') || bare.startsWith('::ffff:127.')
}

/** Whether something is for its own machine alone, by where it listens and by where users find it. */
export const isForThisMachine = (host: string, publicUrl: string): boolean =>
  isLoopback(host) && URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname)
