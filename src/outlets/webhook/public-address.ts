import type { BlockList } from 'node:net'

/** Networks that are not the open Internet: an address in one of them may be a machine of ours. */
const NOT_PUBLIC = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  // Addresses that stand for another one, which may be of any network.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const

let list: BlockList | undefined

/** Whether an address is one of the open Internet. An IPv4 address in the guise of IPv6 is what it is. */
export async function isPublicAddress(address: string, family: 4 | 6): Promise<boolean> {
  if (!list) {
    const { BlockList } = await import('node:net')
    list = new BlockList()
    for (const [network, bits, kind] of NOT_PUBLIC) list.addSubnet(network, bits, kind)
  }
  return !list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
