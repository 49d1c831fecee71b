import { expect, it } from 'vitest'
import { race } from '../race'
import type { OpenLedger } from './opened-ledger'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)

export function describeLedgerRaces(open: OpenLedger): void {
  it('lets exactly one of 100 racing spenders win, until it is restored', async () => {
    const { ledger } = await open()
    const winners = async () =>
      (await race(100, () => ledger.spend('token', 'a'))).filter(Boolean).length
    expect(await winners()).toBe(1)
    expect(await winners()).toBe(0)
    await ledger.restore('token', 'a')
    expect(await winners()).toBe(1)
  })

  it('counts every one of 500 parallel increments', async () => {
    const { ledger } = await open()
    const counts = await race(500, () => ledger.increment('attempts', 'a'))
    expect(sorted(counts)).toEqual(upTo(500))
    expect(await ledger.get('attempts', 'a')).toMatchObject({ count: 500 })
  })

  it('lets exactly one of 100 spenders win at the moment of expiry', async () => {
    const { ledger, clock } = await open()
    for (let period = 0; period < 5; period++) {
      const end = clock.now() + 10
      const spenders = await race(100, () => ledger.spend('token', 'a', end))
      expect(spenders.filter(Boolean)).toHaveLength(1)
      clock.advance(10)
    }
  })

  it('counts every one of 100 increments at the moment of expiry', async () => {
    const { ledger, clock } = await open()
    for (let period = 0; period < 5; period++) {
      const end = clock.now() + 10
      const counts = await race(100, () => ledger.increment('attempts', 'a', end))
      expect(sorted(counts)).toEqual(upTo(100))
      expect(await ledger.get('attempts', 'a')).toEqual({ count: 100, expiresAt: end })
      clock.advance(10)
    }
  })

  it('lets one win for each time that it is restored, while others go on spending', async () => {
    const { ledger } = await open()
    let restored = 0
    const outcomes = await race(100, async () => {
      const won = await ledger.spend('token', 'a')
      if (!won || restored === 20) return won
      restored++
      await ledger.restore('token', 'a')
      return won
    })
    // The last one to be restored may have found no one who still wanted it.
    const left = (await ledger.get('token', 'a')) === null ? 0 : 1
    expect(outcomes.filter(Boolean)).toHaveLength(restored + left)
  })

  it('keeps a note that is written while an expired one is replaced', async () => {
    const { ledger, clock } = await open()
    for (let round = 0; round < 10; round++) {
      await ledger.put('note', 'a', 'old', clock.now() + 10)
      clock.advance(10)
      await race(20, async n => {
        if (n === 10) await ledger.put('note', 'a', 'new', clock.now() + 100)
        else await ledger.increment('note', 'a', clock.now() + 10)
      })
      expect(await ledger.get('note', 'a')).toMatchObject({ data: 'new' })
    }
  })

  it('does not mistake one of many keys for another at once', async () => {
    const { ledger } = await open()
    const spent = await race(200, n => ledger.spend('token', `${n % 50}`))
    expect(spent.filter(Boolean)).toHaveLength(50)
  })
}
