import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hideTokens, hideTokenShapes } from '../../src/admin/hide-tokens'
import { DISGUISES } from './disguises'

/** A handle of each kind that an application might make. */
const HANDLES = {
  uuid: randomUUID(),
  base64url: `-_${randomBytes(12).toString('base64url')}_-`,
  base64: `+/${randomBytes(17).toString('base64')}`,
  letters: 'qwhtrzmkpvxsnbgdfjlc',
  short: 'k7Rq2Lm9Xw3z',
  dots: 'v1.8f3a.91bc',
  colons: 'flow:8f3a91bc:2',
}
const handles = new Set<string>(Object.values(HANDLES))

const hide = <T>(stored: T) =>
  hideTokens(stored, async texts => new Set([...texts].filter(text => handles.has(text))))

describe.each(DISGUISES)('a handle %s', (_name, disguise) => {
  it.each(Object.entries(HANDLES))('is hidden: %s', async (_kind, handle) => {
    for (const token of [handle, `default.${handle}`, `a-b.${handle}~7`, `a.${handle}~Ab-_9`]) {
      const text = disguise(token)
      expect(await hide({ text })).toEqual({ text: '•••' })
      expect(await hide([{ [text]: 'value' }])).toEqual([{ '•••': 'value' }])
    }
  })
})

describe('a handle', () => {
  it('is hidden in capitals, without its dashes, and where something touches it', async () => {
    const { uuid } = HANDLES
    const texts = [
      uuid.toUpperCase(),
      uuid.replaceAll('-', ''),
      `token${uuid}end`,
      `id-${btoa(uuid)}_x`,
    ]
    expect(await hide(texts)).toEqual(texts.map(() => '•••'))
  })

  it('is hidden when it is a number', async () => {
    handles.add('1234567890123')
    expect(await hide([1_234_567_890_123, 1_234_567_890_124])).toEqual(['•••', 1_234_567_890_124])
  })

  it('leaves the rest as it is', async () => {
    const rest = { a: [1, true, null, 'text', { b: 'flow:8f3a91bc:3' }] }
    expect(await hide({ ...rest, link: HANDLES.short })).toEqual({ ...rest, link: '•••' })
  })
})

describe.each(DISGUISES)('what has the form of a token, %s', (_name, disguise) => {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  const sealed = `${header}..${random(12)}.${random(40)}.${random(16)}`

  it.each([
    ['sealed', sealed],
    ['sealed, with a name', `encapsulated.${sealed}`],
    ['sealed, with another header', `x${sealed.slice(1)}`],
    ['signed', `${header}.${random(40)}.${random(32)}`],
    ['of another store', `mail.${randomUUID()}`],
    ['of another store, stable', `mail.${randomUUID()}~${random(16)}`],
    ['of another store, random', `mail.aB3${random(16)}`],
  ])('is hidden: %s', (_kind, token) => {
    expect(hideTokenShapes({ text: disguise(token) })).toEqual({ text: '•••' })
  })
})

describe('a text', () => {
  const wrapped = (text: string, times: number): string =>
    times === 0 ? text : wrapped(Buffer.from(text).toString('base64'), times - 1)

  it('is read through all that is around it', async () => {
    const link = `https://x.example/?a=B0&amp;wfs=${encodeURIComponent(HANDLES.base64)}`
    const mail = `<p>caf&#xe9; – ${JSON.stringify({ link })}=20\n\u{AD}${link}</p>`
    for (const text of [mail, encodeURIComponent(mail), wrapped(encodeURIComponent(mail), 2)]) {
      expect(await hide({ text })).toEqual({ text: '•••' })
    }
  })

  it('of a mail without a link is shown', async () => {
    const mail =
      '<p>caf&#xe9; – <a href="https://x.example/?a=B0&amp;b=%2541">x</a>=20\n\\u0041</p>'
    expect(await hide({ mail })).toEqual({ mail })
  })

  it('without an end to what is around it is hidden', async () => {
    expect(await hide({ text: wrapped('nothing at all', 4) })).not.toEqual({ text: '•••' })
    expect(await hide({ text: wrapped('nothing at all', 12) })).toEqual({ text: '•••' })
  })
})

it.each([
  ['signs', '.-_~'.repeat(300_000)],
  ['spaces', ' '.repeat(2_000_000)],
  ['line ends', ' \n'.repeat(1_000_000)],
  ['letters', 'a'.repeat(2_000_000)],
  ['dots', 'a.'.repeat(1_000_000)],
  ['headers', 'eyJ'.repeat(700_000)],
])('two megabytes of %s cost no more than a bounded time', async (_what, text) => {
  const timeOf = async (value: string) => {
    const start = performance.now()
    await hide([value])
    return performance.now() - start
  }
  const base = await timeOf(text.slice(0, 500_000))
  expect(await timeOf(text)).toBeLessThan(base * 20 + 100)
})
