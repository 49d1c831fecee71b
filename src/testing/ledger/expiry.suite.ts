import { expect, it } from 'vitest'
import { casesUnless } from '../excused-cases'
import type { LedgerLacks, OpenLedger } from './opened-ledger'

export function describeLedgerExpiry(open: OpenLedger, lacks: LedgerLacks): void {
  it('forgets an entry at the moment that it expires, not after it', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    await ledger.spend('token', 'a', end)
    await ledger.put('note', 'a', 'one', end)
    clock.advance(9)
    expect(await ledger.get('token', 'a')).not.toBeNull()
    expect(await ledger.get('note', 'a')).not.toBeNull()
    expect(await ledger.spend('token', 'a', end + 10)).toBe(false)
    clock.advance(1)
    expect(await ledger.get('token', 'a')).toBeNull()
    expect(await ledger.get('note', 'a')).toBeNull()
    expect(await ledger.spend('token', 'a', end + 10)).toBe(true)
    expect(await ledger.spend('token', 'a', end + 10)).toBe(false)
  })

  it('counts anew in the next period, whose end later increments do not move', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    await ledger.increment('attempts', 'a', end)
    clock.advance(9)
    expect(await ledger.increment('attempts', 'a', clock.now() + 10)).toBe(2)
    expect(await ledger.get('attempts', 'a')).toEqual({ count: 2, expiresAt: end })
    clock.advance(1)
    expect(await ledger.increment('attempts', 'a', clock.now() + 10)).toBe(1)
    expect(await ledger.get('attempts', 'a')).toEqual({ count: 1, expiresAt: end + 10 })
  })

  it('takes nothing over from an expired note: neither data nor count nor end', async () => {
    const { ledger, clock } = await open()
    await ledger.put('note', 'a', 'one', clock.now() + 10)
    await ledger.increment('note', 'a')
    await ledger.put('note', 'b', 'one', clock.now() + 10)
    await ledger.increment('note', 'b')
    clock.advance(10)
    expect(await ledger.increment('note', 'a')).toBe(1)
    expect(await ledger.get('note', 'a')).toEqual({ count: 1 })
    await ledger.put('note', 'b', 'two', clock.now() + 10)
    expect(await ledger.get('note', 'b')).toMatchObject({ count: 0, expiresAt: clock.now() + 10 })
  })

  it('keeps for ever what has no end', async () => {
    const { ledger, clock } = await open()
    await ledger.spend('token', 'a')
    await ledger.put('note', 'a', 'one', clock.now() + 10)
    await ledger.put('note', 'a', 'two')
    clock.advance(1e12)
    expect(await ledger.spend('token', 'a')).toBe(false)
    expect(await ledger.get('note', 'a')).toMatchObject({ data: 'two' })
  })

  it.each([0, -1, -1e12])('takes an end %i ms from now for expired', async ms => {
    const { ledger, clock } = await open()
    const end = clock.now() + ms
    expect(await ledger.spend('token', 'a', end)).toBe(true)
    expect(await ledger.get('token', 'a')).toBeNull()
    expect(await ledger.increment('token', 'a', end)).toBe(1)
    expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(true)
    expect(await ledger.spend('token', 'a', end)).toBe(false)
    await ledger.put('note', 'a', 'one', end)
    expect(await ledger.get('note', 'a')).toBeNull()
  })

  it('takes ends and moments that are no whole milliseconds', async () => {
    const { ledger, clock } = await open()
    expect(await ledger.spend('token', 'a', clock.now() + 0.5)).toBe(true)
    expect(await ledger.spend('token', 'a', clock.now() + 0.5)).toBe(false)
    clock.advance(1.5)
    expect(await ledger.spend('token', 'a', Infinity)).toBe(true)
    clock.advance(1e12)
    expect(await ledger.spend('token', 'a', Infinity)).toBe(false)
  })

  it('gives nothing back when the clock jumps back', async () => {
    const { ledger, clock } = await open()
    await ledger.spend('token', 'a', clock.now() + 10)
    clock.advance(-1000)
    expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(false)
    clock.advance(1010)
    expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(true)
    clock.advance(-1010)
    expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(false)
    expect(await ledger.get('token', 'a')).not.toBeNull()
  })

  const itIfCleans = casesUnless('describeLedger', lacks)('cleanup')

  itIfCleans('cleans up what has expired, and nothing else', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    for (let n = 0; n < 7; n++) await ledger.spend('token', `${n}`, end + (n % 2))
    await ledger.put('note', 'a', 'one', end)
    await ledger.increment('attempts', 'for-ever')
    expect(await ledger.cleanup?.()).toBe(0)
    clock.advance(10)
    expect(await ledger.cleanup?.()).toBe(5)
    expect(await ledger.cleanup?.()).toBe(0)
    expect(await ledger.spend('token', '1', end)).toBe(false)
    expect(await ledger.increment('attempts', 'for-ever')).toBe(2)
    clock.advance(1)
    expect(await ledger.cleanup?.()).toBe(3)
  })
}
