import { Step, WfInput, type WfForm, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { validateInput } from '../../src/forms/validate-input'
import { typesOf } from '../support/atscript'
import { openFormApp } from '../support/form-app'

const formOf = async (text: string) => (await typesOf(text)).Form as WfForm

const judge = (form: WfForm, input: unknown) => validateInput(form as never, input, false)

const LISTS = `
export interface Form {
    @expect.array.uniqueItems 'No twins, please.'
    list?: {
        a: string
        b?: number
        c?: string | null
        d?: { x?: number, y?: number }
        e?: { [*]: number }
        f?: ({ k: 'one', n: number } | { k: 'two' })[]
        @ui.form.disabled
        shown: string
    }[]

    @expect.array.uniqueItems
    words?: string[]

    @expect.array.uniqueItems
    keyed?: {
        @expect.array.key
        id: string
        @expect.array.key
        kind: number
        note?: string
    }[]

    @expect.array.uniqueItems
    rows?: string[][]
}
`

describe('a list without twins', () => {
  it.each<[string, unknown, unknown]>([
    ['an unknown key', { a: 'x' }, { a: 'x', unknown: 1 }],
    ['an unknown key inside', { a: 'x', d: { x: 1 } }, { a: 'x', d: { x: 1, z: 1 } }],
    ['a field that is only shown', { a: 'x', shown: 'one' }, { a: 'x', shown: 'two' }],
    ['null for an optional field', { a: 'x' }, { a: 'x', b: null }],
    ['null inside', { a: 'x', d: {} }, { a: 'x', d: { y: null } }],
    ['the order of keys', { a: 'x', b: 1 }, { b: 1, a: 'x' }],
    ['the order inside', { a: 'x', d: { x: 1, y: 2 } }, { a: 'x', d: { y: 2, x: 1 } }],
    ['the order of entries', { a: 'x', e: { x: 1, y: 2 } }, { a: 'x', e: { y: 2, x: 1 } }],
    ['a union', { a: 'x', f: [{ k: 'two' }] }, { a: 'x', f: [{ n: 1, k: 'two' }] }],
    ['another spelling of a number', { a: 'x', b: 0 }, { a: 'x', b: -0 }],
  ])('is not fooled by %s', async (_what, one, other) => {
    const form = await formOf(LISTS)
    const different = { a: 'another' }
    expect(judge(form, { list: [one, different, other] })).toEqual({
      errors: { 'list.2': 'No twins, please.' },
    })
  })

  it.each<[string, unknown[]]>([
    ['null, where it is a value', [{ a: 'x' }, { a: 'x', c: null }, { a: 'x', c: 'null' }]],
    ['a number and its text', [{ a: '1' }, { a: 'x', b: 1 }, { a: 'x', c: '1' }]],
    [
      'other keys',
      [
        { a: 'x', e: { x: 1 } },
        { a: 'x', e: { y: 1 } },
      ],
    ],
    ['texts that look like structure', [{ a: '","b":1' }, { a: '', b: 1 }, { a: '#0' }]],
  ])('tells %s apart', async (_what, list) => {
    expect(judge(await formOf(LISTS), { list })).toEqual({ data: { list } })
  })

  it('goes by the keys of its entries, if they have some', async () => {
    const form = await formOf(LISTS)
    const keyed = [
      { id: 'a', kind: 1, note: 'x' },
      { id: 'b', kind: 1 },
      { id: 'a', kind: 2 },
    ]
    expect(judge(form, { keyed })).toEqual({ data: { keyed } })
    expect(judge(form, { keyed: [...keyed, { note: 'y', kind: 1, id: 'a', z: 1 }] })).toEqual({
      errors: { 'keyed.3': 'This is in the list already.' },
    })
  })

  it('may hold texts and lists', async () => {
    const form = await formOf(LISTS)
    const input = { words: ['a', 'b', ''], rows: [['a', 'b'], ['b', 'a'], []] }
    expect(judge(form, input)).toEqual({ data: input })
    expect(judge(form, { words: ['a', 'b', 'a'], rows: [['a'], ['a']] })).toEqual({
      errors: { 'words.2': expect.any(String), 'rows.1': expect.any(String) },
    })
  })
})

describe('what is handed on', () => {
  it('is what was judged: the input cannot be right in another shape', async () => {
    const Form = await formOf(LISTS)
    const seen: unknown[] = []

    @Controller()
    class Lists {
      @Workflow('lists')
      @WorkflowSchema(['lists'])
      flow() {}

      @Step('lists')
      lists(@WfInput({ form: Form }) input: unknown) {
        seen.push(input)
      }
    }
    const app = await openFormApp(Lists)
    const twins = [{ a: 'x' }, { unknown: 1, b: null, a: 'x' }]
    const refused = await app.send({ wfid: 'lists', input: { list: twins } })
    expect(refused.body.inputRequired.context.errors).toEqual({ 'list.1': 'No twins, please.' })
    const list = [{ b: null, a: 'x', e: { z: 1, y: 2 }, unknown: 1 }, { a: 'y' }]
    await app.send({ wfid: 'lists', input: { list } })
    expect(seen).toEqual([{ list: [{ a: 'x', e: { z: 1, y: 2 } }, { a: 'y' }] }])
  })

  it('is judged also where a type says that it is only shown, but is in a list', async () => {
    const form = await formOf(`
@meta.readonly
export type Locked = string.email

export interface Form {
    list: Locked[]
}
`)
    expect(judge(form, { list: ['ada'] })).toHaveProperty('errors')
  })

  it('has own properties only', async () => {
    const form = await formOf('export interface Form {\n toString?: string\n name: string\n}')
    expect(judge(form, { name: 'Ada' })).toEqual({ data: { name: 'Ada' } })
  })
})
