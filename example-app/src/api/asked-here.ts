import { useHeaders } from '@atscript/moost-wf/http'
import { isLoopback } from '../settings/loopback'
import { isForwarded } from './forwarded'

/**
 * Whether a request is meant for this machine, for what only the demo shows: a foreign site can let
 * its own name lead here. A proxy that hides itself cannot be told from somebody who sits here, so
 * this never decides alone: with a public address there is no demo.
 */
export function isAskedHere(): boolean {
  const { host = '' } = useHeaders()
  const url = `http://${host}`
  if (isForwarded() || !URL.canParse(url)) return false
  const { hostname, host: asked } = new URL(url)
  return asked.toLowerCase() === withoutDefaultPort(host) && isLoopback(hostname)
}

// Other spellings of a name, such as `user@localhost`, come from no browser.
function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:80$/u, '')
}
