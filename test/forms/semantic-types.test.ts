import { AtscriptRepo, type SemanticPrimitiveNode } from '@atscript/core'
import type { WfForm } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { semanticRule } from '../../src/forms/semantic-rules'
import { validateInput } from '../../src/forms/validate-input'
import { typesOf } from '../support/atscript'
import { root } from '../support/project'

/** Where a type can stand in a form, and a value of it in what is sent. */
const PLACES: Readonly<Record<string, [type: string, sent: (value: unknown) => unknown]>> = {
  'a field': ['field: T', field => ({ field })],
  'an optional field': ['field?: T', field => ({ field })],
  'a list': ['field: T[]', value => ({ field: [value] })],
  'a list of lists': ['field: T[][]', value => ({ field: [[value]] })],
  'a tuple': ['field: [T, T]', value => ({ field: [value, value] })],
  'a union': ['field: T | null', field => ({ field })],
  'a list of a union': ['field: (null | T)[]', value => ({ field: [null, value] })],
  'a record': ['field: { [*]: T }', value => ({ field: { any: value } })],
  'a record by pattern': ['field: { [/^x-/]: T[] }', value => ({ field: { 'x-y': [value] } })],
  'a section': ['field: { inner: T[] }', value => ({ field: { inner: [value] } })],
}

/** A right and a wrong value of each type that asks for something. */
const VALUES: Readonly<Record<string, [right: unknown, wrong: unknown]>> = {
  'string.email': ['ada@example.com', 'ada'],
  'string.phone': ['+1 234 567 8901', 'call me'],
  'string.date': ['2024-02-29', 'tomorrow'],
  'string.isoDate': ['2024-02-29T12:00:00Z', '2024-02-29'],
  'string.uuid': ['c0ffee00-1234-4321-8888-0123456789ab', 'c0ffee'],
  'string.url': ['https://example.com', 'example.com'],
  'string.ipv4': ['127.0.0.1', '127.0.0.256'],
  'string.ipv6': ['2001:db8::1', '2001:db8:::1'],
  'string.ip': ['::1', 'not 127.0.0.1 at all'],
  'string.char': ['x', 'xy'],
  'string.required': ['x', '  '],
  'number.positive': [0, -1],
  'number.negative': [0, 1],
  'number.int': [1, 1.5],
  'number.int.positive': [1, -1],
  'number.int.negative': [-1, 1],
  'number.int.int8': [-128, 128],
  'number.int.int16': [-32_768, 32_768],
  'number.int.int32': [-(2 ** 31), 2 ** 31],
  'number.int.int64': [Number.MIN_SAFE_INTEGER, 2 ** 53],
  'number.int.uint8': [255, -1],
  'number.int.uint8.byte': [255, 256],
  'number.int.uint16': [65_535, 65_536],
  'number.int.uint16.port': [443, 65_536],
  'number.int.uint32': [2 ** 32 - 1, 2 ** 32],
  'number.int.uint64': [Number.MAX_SAFE_INTEGER, -1],
  'number.timestamp': [1, 0.5],
  'number.timestamp.created': [1, 0.5],
  'number.timestamp.updated': [1, 0.5],
  'number.single.positive': [0.5, -0.5],
  'number.single.negative': [-0.5, 0.5],
  'number.double.positive': [0.5, -0.5],
  'number.double.negative': [-0.5, 0.5],
  'boolean.required': [true, false],
  decimal: ['1.50', '1.5.0'],
}

const NAMES = Object.keys(VALUES)

const formOf = async (fields: string) =>
  (await typesOf(`export interface Form {\n${fields}\n}`)).Form as WfForm

const judged = (form: WfForm, input: unknown) => validateInput(form as never, input, false)

describe.each(Object.entries(PLACES))('in %s', (_place, [type, sent]) => {
  it.each(NAMES)('%s is checked', async name => {
    const form = await formOf(type.replaceAll('T', name))
    const [right, wrong] = VALUES[name]!
    expect(judged(form, sent(right))).toEqual({ data: sent(right) })
    const { errors } = judged(form, sent(wrong)) as { errors: Record<string, string> }
    expect(Object.keys(errors)[0]).toMatch(/^field/u)
  })
})

/** All types that atscript has, by their full names. */
async function primitives(): Promise<Map<string, SemanticPrimitiveNode>> {
  const repo = new AtscriptRepo(root, { rootDir: root, plugins: [] })
  const doc = await repo.openDocument('file:///empty.as', 'interface Empty {}')
  const found = new Map<string, SemanticPrimitiveNode>()
  const visit = (node: SemanticPrimitiveNode) => {
    found.set(node.key, node)
    for (const inner of node.props.values()) visit(inner as SemanticPrimitiveNode)
  }
  for (const node of doc.primitives) visit(node)
  return found
}

describe('the rules by tag', () => {
  const RULES = /^(?:expect\.|meta\.required$)/u

  it('are those of the compiler, for every type that it has', async () => {
    const known = await primitives()
    expect(known.size).toBeGreaterThan(NAMES.length)
    for (const [name, { config, tags }] of known) {
      for (const [annotation, written] of Object.entries(config.annotations ?? {})) {
        if (!RULES.test(annotation)) continue
        const rule = [semanticRule(tags, annotation)].flat()[0]
        const [expected] = [written].flat()
        // An address somewhere in a text is no address.
        if (name === 'string.ip') continue
        expect(valuesOf(rule), `${name} ${annotation}`).toEqual(valuesOf(expected))
      }
    }
  })

  it('are tried above, for every type that has some', async () => {
    const asking = [...(await primitives())].filter(([, { config }]) =>
      Object.keys(config.annotations ?? {}).some(key => RULES.test(key)),
    )
    expect(asking.map(([name]) => name).filter(name => !NAMES.includes(name))).toEqual([])
  })
})

/** What a rule says, however it is written: `0`, `{ minValue: 0 }`. */
function valuesOf(rule: unknown): unknown[] {
  return (typeof rule === 'object' && rule ? Object.values(rule) : [rule]).filter(Boolean)
}

describe('a field of another form', () => {
  const OTHER = `
export interface Other {
    @expect.pattern '^x', 'u', 'It begins with x.'
    @expect.maxLength 3
    code: string

    @expect.array.uniqueItems
    list: string.email[]
}
`
  it.each([
    ['in a list', 'Other.code[]', [['x1'], ['y1'], ['x234']]],
    ['in a union', 'Other.code | number', ['x1', 'y1', 'x234']],
    ['as itself', 'Other.code', ['x1', 'y1', 'x234']],
    ['as a list in a list', 'Other.list[]', [[['a@b.c']], [['a@b.c', 'a@b.c']], [['a']]]],
  ])('keeps its rules %s', async (_where, type, [right, ...wrong]) => {
    const { Form } = await typesOf(`${OTHER}\nexport interface Form {\n field: ${type}\n}`)
    expect(judged(Form!, { field: right })).toEqual({ data: { field: right } })
    for (const field of wrong) expect(judged(Form!, { field }), type).toHaveProperty('errors')
  })
})

describe('a text that is checked by a pattern', () => {
  it.each([
    ['string.email', `${'a'.repeat(242)}@example.com`, 'At most 254 characters, please.'],
    ['string.url', `https://${'a'.repeat(1992)}`, 'At most 2000 characters, please.'],
    ['string', 'a'.repeat(10_000), 'At most 10000 characters, please.'],
  ])('%s has a length', async (type, longest, sentence) => {
    const form = await formOf(`field: ${type}`)
    expect(judged(form, { field: longest })).toEqual({ data: { field: longest } })
    expect(judged(form, { field: `${longest}x` })).toEqual({ errors: { field: sentence } })
  })

  it('has the length that its author says', async () => {
    const form = await formOf('@expect.maxLength 300\nfield: string.email')
    const field = `${'a'.repeat(288)}@example.com`
    expect(judged(form, { field })).toEqual({ data: { field } })
    expect(judged(form, { field: `${field}x` })).toHaveProperty('errors')
  })
})
