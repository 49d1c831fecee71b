/** Whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase()
  if (/^127(?:\.\d{1,3}){3}$/u.test(bare)) return true
  return bare === '::1' || bare === 'localhost' || bare.endsWith('.localhost')
}
