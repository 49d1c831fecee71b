import { expect } from 'vitest'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import type { LedgerLacks, OpenLedger } from './opened-ledger'

export function describeLedgerExtending(open: OpenLedger, lacks: LedgerLacks): void {
  const itIfExtends = casesUnless('describeLedger', lacks)('extend')

  itIfExtends('moves the end of an entry, and nothing else of it', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    await ledger.spend('token', 'a', end)
    await ledger.put('note', 'a', 'one', end)
    await ledger.increment('note', 'a')
    expect(await ledger.extend?.('token', 'a', end + 10)).toBe(true)
    expect(await ledger.extend?.('note', 'a', end + 10)).toBe(true)
    clock.advance(10)
    expect(await ledger.spend('token', 'a', end + 50)).toBe(false)
    expect(await ledger.get('note', 'a')).toEqual({ count: 1, data: 'one', expiresAt: end + 10 })
    clock.advance(10)
    expect(await ledger.spend('token', 'a', end + 50)).toBe(true)
  })

  itIfExtends('brings the end of an entry nearer, and gives an endless one an end', async () => {
    const { ledger, clock } = await open()
    await ledger.spend('token', 'a', clock.now() + 50)
    await ledger.spend('token', 'b')
    expect(await ledger.extend?.('token', 'a', clock.now() + 10)).toBe(true)
    expect(await ledger.extend?.('token', 'b', clock.now() + 10)).toBe(true)
    clock.advance(10)
    expect(await ledger.get('token', 'a')).toBeNull()
    expect(await ledger.get('token', 'b')).toBeNull()
  })

  itIfExtends('brings nothing back: neither what has expired nor what was restored', async () => {
    const { ledger, clock } = await open()
    await ledger.spend('token', 'expired', clock.now() + 10)
    await ledger.spend('token', 'restored', clock.now() + 100)
    await ledger.restore('token', 'restored')
    clock.advance(10)
    for (const key of ['expired', 'restored', 'never']) {
      expect(await ledger.extend?.('token', key, clock.now() + 10)).toBe(false)
      expect(await ledger.get('token', key)).toBeNull()
    }
  })

  itIfExtends('lets one of many spend what its owner has stopped extending', async () => {
    const { ledger, clock } = await open()
    await ledger.spend('token', 'a', clock.now() + 10)
    clock.advance(5)
    await ledger.extend?.('token', 'a', clock.now() + 10)
    clock.advance(9)
    const early = await race(10, () => ledger.spend('token', 'a', clock.now() + 10))
    expect(early).not.toContain(true)
    clock.advance(1)
    const late = await race(10, () => ledger.spend('token', 'a', clock.now() + 10))
    expect(late.filter(Boolean)).toHaveLength(1)
  })
}
