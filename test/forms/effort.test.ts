import { Step, WfInput, type WfForm, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Get } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { validateInput } from '../../src/forms/validate-input'
import { typesOf } from '../support/atscript'
import { openFormApp } from '../support/form-app'
import { growthOf, LINEAR, median } from '../support/growth'

const formOf = async (fields: string) =>
  (await typesOf(`export interface Form {\n${fields}\n}`)).Form as WfForm

const judge = (form: WfForm, input: unknown) => validateInput(form as never, input, false)

const TOO_MUCH = { formMessage: 'This is more than can be checked at once. Please send less.' }

/** Texts that make a pattern go back as often as it can. */
const PUMPED: Readonly<Record<string, (size: number) => string>> = {
  'string.email': size => `a@${'.'.repeat(size)}@`,
  'string.phone': size => `+${'1'.repeat(size)}`,
  'string.date': size => `1 ${'a'.repeat(size)} 1`,
  'string.isoDate': size => `2024-01-01T00:00:00.${'1'.repeat(size)}`,
  'string.uuid': size => `c0ffee00-1234-4321-8888-${'0'.repeat(size)}`,
  'string.url': size => `https://${'x'.repeat(size)} `,
  'string.ipv4': size => '1.'.repeat(size / 2),
  'string.ipv6': size => '1:'.repeat(size / 2),
  'string.ip': size => '1111'.repeat(size / 4),
  'string.required': size => ' '.repeat(size),
}

const OWN: Readonly<Record<string, (size: number) => string>> = {
  '^(a+)+$': size => `${'a'.repeat(size)}!`,
  '(x+x+)+y': size => 'x'.repeat(size),
  '^(?:[a-z0-9]+[-._]?)+@x$': size => `${'a'.repeat(size)}!`,
}

const LONG = '@expect.maxLength 1000000'

const nested = (depth: number, leaf: unknown): unknown =>
  depth === 0 ? leaf : { child: nested(depth - 1, leaf) }

const rows = (size: number, row: (index: number) => unknown) => ({
  list: Array.from({ length: size }, (_, index) => row(index)),
})

/** What else could take longer than its size: the size is that of the input, not of the form. */
const SHAPES: Readonly<Record<string, [fields: string, input: (size: number) => unknown]>> = {
  'a list of a union': [
    `${LONG}\nlist: ({ a: number } | { b: number } | { c: string.email })[]`,
    size => rows(size, () => ({ c: 'ada@example.com' })),
  ],
  'a list without twins': [
    `${LONG}\n@expect.array.uniqueItems\nlist: { a: number, b: number }[]`,
    size => rows(size, index => ({ b: 1, a: index })),
  ],
  'lists without twins in a list without twins': [
    `${LONG}\n@expect.array.uniqueItems\nlist: Twinless[]`,
    size => rows(size / 10, index => rows(10, inner => `${index}/${inner}`)),
  ],
  'a list where all is wrong': [`${LONG}\nlist: string[]`, size => rows(size, () => 0)],
  'unknown keys': [
    'list?: string',
    size => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index])),
  ],
}

const TWINLESS = `
export interface Twinless {
    @expect.array.uniqueItems
    list: string[]
}
`

describe('judging takes twice as long for twice as much', () => {
  it.each(Object.entries(PUMPED))('in a %s', async (type, text) => {
    const form = await formOf(`${LONG}\nfield: ${type}`)
    expect(judge(form, { field: text(8000) })).toHaveProperty('errors')
    expect(growthOf(size => judge(form, { field: text(size) }), 8000)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(OWN))('with a pattern of yours: %s', async (pattern, text) => {
    const form = await formOf(`${LONG}\n@expect.pattern '${pattern}'\nfield: string`)
    expect(judge(form, { field: text(8000) })).toHaveProperty('errors')
    expect(growthOf(size => judge(form, { field: text(size) }), 8000)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(OWN))('with such a pattern for keys: %s', async (pattern, text) => {
    const form = await formOf(`field: { [/${pattern}/]: string }`)
    const keys = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, n) => [`${n}${text(150)}`, 'x']))
    expect(growthOf(size => judge(form, { field: keys(size) }), 200)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(SHAPES))('in %s', async (_shape, [fields, input]) => {
    const { Form } = await typesOf(`${TWINLESS}\nexport interface Form {\n${fields}\n}`)
    const [once, twice] = [input(4000), input(8000)]
    expect(judge(Form!, once)).not.toEqual(TOO_MUCH)
    expect(growthOf(size => judge(Form!, size === 4000 ? once : twice), 4000)).toBeLessThan(LINEAR)
  })

  it.each([
    ['a record', 'export interface Node {\n [*]: Node\n}'],
    ['two records', 'export interface Node {\n [*]: Node\n [/^c/]: Node\n}'],
    ['a union', 'export interface Node {\n child?: Node | Node\n}'],
  ])('at twice the depth of %s', async (_shape, node) => {
    const { Form } = await typesOf(`${node}\nexport interface Form {\n node: Node\n}`)
    const inputs = new Map([30, 60].map(depth => [depth, { node: nested(depth, 'wrong') }]))
    const often = (depth: number) => {
      for (let round = 0; round < 100; round++) judge(Form!, inputs.get(depth))
    }
    expect(judge(Form!, inputs.get(60))).not.toHaveProperty('data')
    expect(growthOf(often, 30)).toBeLessThan(LINEAR)
  })
})

describe('what would hold up everyone else', () => {
  it.each<[string, string, unknown]>([
    ['long texts', `${LONG}\nlist: string.email[]`, rows(5000, () => `a@${'.a'.repeat(120)}`)],
    ['many values', `${LONG}\nlist: number[]`, rows(300_000, () => 1)],
    [
      'one text under a large pattern',
      `${LONG}\n@expect.pattern '[a-z]{1,1000}x$'\nlist: string`,
      { list: 'a'.repeat(50_000) },
    ],
  ])('is not judged to its end: %s', async (_what, fields, input) => {
    expect(judge(await formOf(fields), input)).toEqual(TOO_MUCH)
  })

  it('is more than a large form that people fill in', async () => {
    const fields =
      'name: string.required, email: string.email, phone: string.phone, id: string.uuid'
    const form = await formOf(`list: { ${fields} }[]`)
    const row = {
      name: 'Ada Lovelace',
      email: 'ada.lovelace@analytical-engine.example.com',
      phone: '+44 20 7946 0000',
      id: 'c0ffee00-1234-4321-8888-0123456789ab',
    }
    const input = rows(1000, () => row)
    expect(judge(form, input)).toEqual({ data: input })
  })

  it('is limited in entries and in the length of their keys', async () => {
    const form = await formOf('field: { [*]: number }')
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
    expect(judge(form, { field: entries(1000) })).toHaveProperty('data')
    expect(judge(form, { field: entries(1001) })).toEqual({
      errors: { field: 'At most 1000 entries, please.' },
    })
    expect(judge(form, { field: { ['k'.repeat(200)]: 1 } })).toHaveProperty('data')
    expect(judge(form, { field: { ['k'.repeat(201)]: 1 } })).toEqual({
      errors: { field: 'The name of an entry has at most 200 characters.' },
    })
  })
})

describe('an unrelated request', async () => {
  const Form = await formOf(`${LONG}\nlist?: string.email[]\n${LONG}\nnumbers?: number[][]`)

  @Controller()
  class Workflows {
    @Workflow('people')
    @WorkflowSchema(['people'])
    flow() {}

    @Step('people')
    people(@WfInput({ form: Form }) _input: unknown) {}

    @Get('ping')
    ping() {
      return 'pong'
    }
  }

  const MIB = 2 ** 20 - 1000
  const listOf = (item: string) => `[${item}${`,${item}`.repeat(MIB / (item.length + 1) - 1)}]`
  const bodyOf = (input: string) => `{"wfid":"people","input":${input}}`
  const harmless = bodyOf(`{"unknown":${listOf('[]')}}`)

  it.each([
    ['e-mail addresses', bodyOf(`{"list":${listOf(`"a@${'.a'.repeat(120)}"`)}}`)],
    ['bad addresses', bodyOf(`{"list":${listOf(`"a@${'.'.repeat(9990)}@"`)}}`)],
    ['numbers', bodyOf(`{"numbers":[${listOf('1')}]}`)],
    ['lists', bodyOf(`{"numbers":${listOf('[]')}}`)],
  ])('waits no longer for 1 MiB of %s than for 1 MiB that nobody reads', async (_what, body) => {
    const app = await openFormApp(Workflows)
    const ping = async () => {
      const start = performance.now()
      const response = await fetch(`${app.url}/ping`)
      expect(await response.text()).toBe('pong')
      return performance.now() - start
    }
    /** The longest that a request has waited while a body was judged. */
    const longestWait = async (rawBody: string) => {
      const waits: number[] = []
      const answer = { isThere: false }
      const judged = app.sendRaw(rawBody).then(({ status }) => {
        answer.isThere = true
        expect(status).toBe(200)
      })
      while (!answer.isThere) waits.push(await ping())
      await judged
      return Math.max(...waits)
    }
    const judged: number[] = []
    const unread: number[] = []
    for (let round = 0; round < 7; round++) {
      unread.push(await longestWait(harmless))
      judged.push(await longestWait(body))
    }
    expect(median(judged) / median(unread)).toBeLessThan(4)
  })
})
