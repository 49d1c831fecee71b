import { describe, expect, it } from 'vitest'
import { type ExampleApp, startExampleApp } from '../support/example-app'

const PER_ADDRESS = 50
const NOTE = 'TRUST_PROXY is not set'

/** The statuses of requests to recover a password, which are limited by address. */
async function recover(app: ExampleApp, addresses: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses) {
    const body = { wfid: 'auth/recover', input: { email: 'nobody@example.com' } }
    const { status, headers } = await app.visitor().wf(body, { 'x-forwarded-for': address })
    if (status === 429) {
      const wait = Number(headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(15 * 60)
    }
    statuses.push(status)
  }
  return statuses
}

const addresses = (prefix: string) =>
  Array.from({ length: PER_ADDRESS }, (_, index) => `${prefix}${index + 1}`)

const allowed = Array.from({ length: PER_ADDRESS }, () => 200)

describe('limits per address', () => {
  it('count the client behind a declared proxy, and an IPv6 network as one', async () => {
    const app = await startExampleApp({ TRUST_PROXY: '1' })
    expect(await recover(app, addresses('198.51.100.'))).toEqual(allowed)
    // However they are written, these are of one network.
    expect(await recover(app, addresses('2001:db8::'))).toEqual(allowed)
    expect(
      await recover(app, [
        '2001:db8:0:0:ffff::1',
        '2001:0DB8::',
        '2001:db8:0:1::1',
        '2001:db8:1::',
      ]),
    ).toEqual([429, 429, 200, 200])
    // What a client writes itself stands further left, and is not believed.
    expect(await recover(app, ['192.0.2.1, 2001:db8::7', '2001:db8::7, 192.0.2.1'])).toEqual([
      429, 200,
    ])
    expect(app.output()).not.toContain(NOTE)
  })

  it('count the proxy if it is not declared, and say so once', async () => {
    const app = await startExampleApp()
    expect(app.output()).not.toContain(NOTE)
    expect(await recover(app, addresses('198.51.100.'))).toEqual(allowed)
    expect(await recover(app, ['203.0.113.9'])).toEqual([429])
    expect(app.output().split(NOTE)).toHaveLength(2)
  })
})
