import { expect, it } from 'vitest'
import type { OpenLedger } from './opened-ledger'

/** Keys that a ledger must neither refuse nor take for one another. */
const HOSTILE_KEYS = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  'a\u0000',
  '\u0000',
  '\ud800',
  '\udc00',
  '\ufffd',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table wf_ledger; --",
  '%',
  '_',
  '\\',
  '["a","b"]',
  'x'.repeat(1_000_000),
  `${'x'.repeat(999_999)}y`,
]

const NOTES: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['blank', '  \t\n '],
  ['JSON', '{"a":[1,null,"\\u0000"]}'],
  ['100 KB of unicode', 'ключ 🔑 👩‍👩‍👧\u2028 é e\u0301'.repeat(4_000)],
]

/** What not every database has characters for. */
const HOSTILE_NOTES = ['a\u0000b', '\ud800', 'a\udc00b']

export function describeLedgerEntries(open: OpenLedger): void {
  it('knows nothing at first', async () => {
    const { ledger } = await open()
    expect(await ledger.get('note', 'a')).toBeNull()
    await ledger.restore('note', 'a')
    expect(await ledger.get('note', 'a')).toBeNull()
  })

  it('spends a key once, until it is restored', async () => {
    const { ledger } = await open()
    expect(await ledger.spend('token', 'a')).toBe(true)
    expect(await ledger.spend('token', 'a')).toBe(false)
    expect(await ledger.get('token', 'a')).not.toBeNull()
    await ledger.restore('token', 'a')
    expect(await ledger.get('token', 'a')).toBeNull()
    expect(await ledger.spend('token', 'a')).toBe(true)
    expect(await ledger.spend('token', 'a')).toBe(false)
  })

  it('counts from one, and tells the count and the end', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    expect(await ledger.increment('attempts', 'a', end)).toBe(1)
    expect(await ledger.increment('attempts', 'a', end)).toBe(2)
    expect(await ledger.get('attempts', 'a')).toEqual({ count: 2, expiresAt: end })
    expect(await ledger.increment('attempts', 'b')).toBe(1)
    expect(await ledger.get('attempts', 'b')).toEqual({ count: 1 })
  })

  it('counts what was spent, and does not spend what was counted', async () => {
    const { ledger } = await open()
    expect(await ledger.spend('token', 'a')).toBe(true)
    expect(await ledger.increment('token', 'a')).toBe(2)
    expect(await ledger.increment('token', 'b')).toBe(1)
    expect(await ledger.spend('token', 'b')).toBe(false)
  })

  it('overwrites a note, its count and its end', async () => {
    const { ledger, clock } = await open()
    const end = clock.now() + 10
    await ledger.put('note', 'a', 'one', end)
    expect(await ledger.increment('note', 'a')).toBe(1)
    expect(await ledger.get('note', 'a')).toEqual({ count: 1, data: 'one', expiresAt: end })
    await ledger.put('note', 'a', 'two', end + 10)
    expect(await ledger.get('note', 'a')).toEqual({ count: 0, data: 'two', expiresAt: end + 10 })
    await ledger.put('note', 'a', 'three')
    expect(await ledger.get('note', 'a')).toEqual({ count: 0, data: 'three' })
  })

  it('does not take a note for a spent key', async () => {
    const { ledger } = await open()
    await ledger.put('note', 'a', 'one')
    expect(await ledger.spend('note', 'a')).toBe(true)
    expect(await ledger.spend('note', 'a')).toBe(false)
    expect(await ledger.get('note', 'a')).toMatchObject({ data: 'one' })
  })

  it.each(NOTES)('gives back a note as it was: %s', async (_title, note) => {
    const { ledger } = await open()
    await ledger.put('note', 'a', note)
    expect((await ledger.get('note', 'a'))?.data).toBe(note)
  })

  it.each(HOSTILE_NOTES)('keeps the note %j as it is, or refuses it', async note => {
    const { ledger } = await open()
    const refused = await ledger.put('note', 'a', note).then(
      () => false,
      () => true,
    )
    const kept = await ledger.get('note', 'a')
    expect(kept === null ? refused : kept.data === note).toBe(true)
  })

  it('keeps keys apart, whatever is in them', async () => {
    const { ledger } = await open()
    for (const key of HOSTILE_KEYS) expect(await ledger.spend('token', key)).toBe(true)
    for (const key of HOSTILE_KEYS) expect(await ledger.spend('token', key)).toBe(false)
    for (const key of HOSTILE_KEYS) {
      await ledger.restore('token', key)
      expect(await ledger.get('token', key)).toBeNull()
    }
  })

  it('keeps kinds apart, whatever is in the names', async () => {
    const { ledger } = await open()
    const pairs = [
      ['a', 'b:c'],
      ['a:b', 'c'],
      ['a', 'b,c'],
      ['a,b', 'c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
      ['ab', 'c'],
      ['a', 'bc'],
      ['__proto__', 'constructor'],
    ] as const
    for (const [kind, key] of pairs) expect(await ledger.spend(kind, key)).toBe(true)
    for (const [kind, key] of pairs) expect(await ledger.spend(kind, key)).toBe(false)
  })
}
