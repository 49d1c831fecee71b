import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeableCopy,
  contextInJson,
  copyToKeep,
  jsonCopy,
  jsonCopyWith,
  JsonText,
} from '../../src/state'

const state = (context: unknown) => ({ schemaId: 'shop/order', indexes: [1], context })

describe('a copy of a state in JSON', () => {
  it('is what would be read back, and one copy is enough', () => {
    const copy = jsonCopy(state({ at: new Date(0), gone: undefined, list: [undefined] }))
    expect(copy).toEqual(state({ at: '1970-01-01T00:00:00.000Z', list: [null] }))
    expect(jsonCopy(copy)).toBe(copy)
  })

  it('does not follow what becomes of the original, nor the text of its context', () => {
    const original = state({ tries: 1 })
    const copy = jsonCopy(original)
    ;(original.context as { tries: number }).tries = 2
    expect([copy.context, contextInJson(copy)]).toEqual([{ tries: 1 }, '{"tries":1}'])
    const noted = jsonCopyWith(copy, { wf: { seq: 1 } })
    expect(contextInJson(noted)).toBe('{"tries":1}')
    expect(contextInJson(original)).toBe('{"tries":2}')
  })

  it('can be changed where it is one of its own', () => {
    const copy = jsonCopy({ ...state({ tries: 1 }), meta: { wf: { seq: 1 } } })
    const mine = changeableCopy(copy)
    ;(mine.context as { tries: number }).tries = 2
    mine.indexes.push(9)
    expect(copy).toEqual({ ...state({ tries: 1 }), meta: { wf: { seq: 1 } } })
  })

  it('can be kept while others change what it is of', () => {
    const live = { ...state({ tries: 1, items: ['a'] }), meta: { wf: { seq: 1 } } }
    for (const original of [live, jsonCopy(live)]) {
      const kept = copyToKeep(original)
      ;(original.context as { items: string[] }).items.push('b')
      original.indexes.push(9)
      expect(kept).toEqual({ ...state({ tries: 1, items: ['a'] }), meta: { wf: { seq: 1 } } })
      expect(contextInJson(kept)).toBe('{"tries":1,"items":["a"]}')
      live.indexes.pop()
      live.context = { tries: 1, items: ['a'] }
    }
  })

  it.each([null, 'text', 0, false, [], ['a', { b: 1 }], { toJSON: () => undefined }])(
    'holds any context that JSON can: %j',
    context => {
      const copy = jsonCopy(state(context))
      expect(copy.context).toEqual(JSON.parse(JSON.stringify(context) ?? 'null'))
      expect(JSON.parse(contextInJson(copy))).toEqual(copy.context)
    },
  )

  it('keeps a key that names a prototype what it is', () => {
    const copy = jsonCopy(state(JSON.parse('{"__proto__":{"admin":true}}')))
    expect(contextInJson(copy)).toBe('{"__proto__":{"admin":true}}')
    expect((copy.context as { admin?: boolean }).admin).toBeUndefined()
  })

  it('shares what has stayed the same with a former copy, and reads the rest back', () => {
    const live = { tries: 1, items: [{ at: new Date(0) }], note: 'a' as string | undefined }
    const former = jsonCopy(state(live))
    live.tries = 2
    live.note = undefined
    const copy = jsonCopy(state(live), jsonCopyWith(former, { wf: { seq: 1 } }))
    expect(copy).toEqual(state({ tries: 2, items: [{ at: '1970-01-01T00:00:00.000Z' }] }))
    expect(contextInJson(copy)).toBe('{"tries":2,"items":[{"at":"1970-01-01T00:00:00.000Z"}]}')
    const itemsOf = ({ context }: typeof copy) => (context as { items: unknown }).items
    expect(itemsOf(copy)).toBe(itemsOf(former))
    expect(itemsOf(copy)).not.toBe(live.items)
  })

  it('writes any record as JSON does, also behind a former copy', () => {
    const saysKey = { toJSON: (key: string) => (key === 'x' ? `as ${key}` : undefined) }
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', '10', '9', ''))
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, saysKey, -0, Number.NaN))
    const context = fc.dictionary(key, value, { noNullPrototype: false })
    fc.assert(
      fc.property(context, context, (one, other) => {
        const former = jsonCopy(state(one))
        const both = { ...one, ...other }
        const copy = jsonCopy(state(both), former)
        expect(contextInJson(copy)).toBe(JSON.stringify(both))
        expect(copy.context).toEqual(JSON.parse(JSON.stringify(both)))
      }),
    )
  })

  it.each([undefined, () => 1, Symbol('x'), { big: 1n }])(
    'refuses what JSON cannot hold',
    context =>
      expect(() => jsonCopy(state(context))).toThrow(
        expect.objectContaining({ code: 'WF_STATE_INVALID' }),
      ),
  )
})

describe('JSON that is written already', () => {
  it('is the same value to whoever writes JSON', () => {
    expect(JSON.stringify({ state: new JsonText('{"a":[1]}') })).toBe('{"state":{"a":[1]}}')
  })
})
