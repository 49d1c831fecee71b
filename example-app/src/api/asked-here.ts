import { useHeaders } from '@atscript/moost-wf/http'
import { isLoopback } from '../settings/loopback'

/**
 * Whether a request comes from this machine, for what only the demo shows. A foreign site can let its
 * own name lead here, and a proxy passes on what comes from afar.
 */
export function isAskedHere(): boolean {
  const { host = '', forwarded, 'x-forwarded-for': forwardedFor } = useHeaders()
  const url = `http://${host}`
  if (forwarded !== undefined || forwardedFor !== undefined || !URL.canParse(url)) return false
  const { hostname, host: asked } = new URL(url)
  return asked.toLowerCase() === withoutDefaultPort(host) && isLoopback(hostname)
}

// Other spellings of a name, such as `user@localhost`, come from no browser.
function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:80$/u, '')
}
