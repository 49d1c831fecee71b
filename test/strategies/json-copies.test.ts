import { describe, expect, it } from 'vitest'
import { changeableCopy, contextInJson, jsonCopy, jsonCopyWith, JsonText } from '../../src/state'

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
