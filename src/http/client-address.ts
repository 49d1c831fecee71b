import { isIPv4, isIPv6 } from 'node:net'
import { useRequest } from '@wooksjs/event-http'
import { inRequest } from './in-request'

/** Where a client's address is read from. */
export interface ClientAddressOptions {
  /**
   * How many proxies of yours stand between clients and this server. Each adds to `X-Forwarded-For`
   * the address that it was called from; what stands further left the client may have made up.
   * @default 0: nobody is believed, the address is that of the connection
   */
  readonly proxies?: number | undefined
}

const V4_IN_V6 = /^::ffff:(?=\d+\.)/iu
const V4_IN_HEX = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/iu
const GROUPS = 8
const GROUPS_OF_NETWORK = 4

/**
 * The address of the client that this request comes from, as far as it can be believed.
 *
 * @throws WfError `WF_NEEDS_REQUEST` where there is no HTTP request
 *
 * @example
 * ```ts
 * import { networkOf, useClientAddress } from '@atscript/moost-wf/http'
 *
 * export const whoAsks = () => networkOf(useClientAddress({ proxies: 1 }))
 * ```
 */
export const useClientAddress = inRequest('useClientAddress', addressOf)

function addressOf({ proxies = 0 }: ClientAddressOptions = {}): string {
  const { getIp, headers } = useRequest()
  const connection = getIp()
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const way = [...forwarded.map(entry => entry.trim()), connection]
  // Fewer entries than proxies: one of them has added nothing. Its own address is what can be believed.
  const claimed = plain(way[way.length - 1 - proxies] ?? connection)
  return isIPv4(claimed) || isIPv6(claimed) ? claimed : plain(connection)
}

/**
 * What to count when addresses are counted: an IPv4 address, or the /64 network of an IPv6 address,
 * because whoever has one of those has 2 ^ 64.
 *
 * @example
 * ```ts
 * import { networkOf } from '@atscript/moost-wf/http'
 *
 * networkOf('192.0.2.7') // '192.0.2.7'
 * networkOf('2001:db8::7') // '2001:db8:0:0::/64'
 * ```
 */
export function networkOf(address: string): string {
  const known = plain(address)
  if (!isIPv6(known)) return known
  const groups = groupsOf(known).slice(0, GROUPS_OF_NETWORK)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Without a port, the zone of an interface, and the wrapping of an IPv4 address. */
function plain(address: string): string {
  const bare = withoutPort(address).replace(/%.*$/u, '').replace(V4_IN_V6, '')
  const [, high, low] = V4_IN_HEX.exec(bare) ?? []
  if (high === undefined || low === undefined) return bare
  const bytes = [high, low].map(part => Number.parseInt(part, 16))
  return bytes.flatMap(pair => [pair >> 8, pair & 255]).join('.')
}

/** Some proxies write `192.0.2.7:4711` and `[2001:db8::7]:4711`. */
function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/u.exec(address) ?? []
  return inBrackets ?? address.replace(/^([\d.]+):\d+$/u, '$1')
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length
  return [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after]
}
