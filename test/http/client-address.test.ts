import { Get, networkOf, Query, useClientAddress } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/moost-app'

@Controller()
class Mirror {
  @Get('address')
  address(@Query('proxies') proxies: string) {
    return useClientAddress({ proxies: Number(proxies) })
  }
}

async function addressOf(proxies: number, forwarded?: string): Promise<string> {
  const { url } = await startApp([Mirror])
  const headers = new Headers(forwarded === undefined ? [] : [['x-forwarded-for', forwarded]])
  const response = await fetch(`${url}/address?proxies=${proxies}`, { headers })
  return response.text()
}

describe('useClientAddress', () => {
  it('believes nobody unless proxies are declared', async () => {
    expect(await addressOf(0, '192.0.2.1')).toBe('127.0.0.1')
  })

  it('counts proxies from the right, where the client cannot write', async () => {
    const forwarded = '6.6.6.6, 192.0.2.1, 10.0.0.1'
    expect(await addressOf(1, forwarded)).toBe('10.0.0.1')
    expect(await addressOf(2, forwarded)).toBe('192.0.2.1')
  })

  it.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['::ffff:c000:207', '192.0.2.7'],
  ])('takes %s for %s', async (forwarded, address) => {
    expect(await addressOf(1, forwarded)).toBe(address)
  })

  it.each([
    ['fewer entries than proxies', 3, '192.0.2.1'],
    ['a number that is none', Number.NaN, '192.0.2.1'],
    ['a negative number', -1, '192.0.2.1'],
    ['no header at all', 1, undefined],
    ['what is no address', 1, 'me; drop table'],
    ['an empty entry', 1, '192.0.2.1,'],
  ])('falls back to the connection for %s', async (_, proxies, forwarded) => {
    expect(await addressOf(proxies, forwarded)).toBe('127.0.0.1')
  })
})

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
