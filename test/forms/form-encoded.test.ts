import { finishWf, Step, WfAction, WfInput, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import fc from 'fast-check'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { EveryKindForm } from '../fixtures/schemas/every-kind-form.as'
import { TreeForm } from '../fixtures/schemas/tree-form.as'
import { ActionForm } from '../fixtures/schemas/wire-forms.as'
import { openFormApp } from '../support/form-app'
import { request } from '../support/shop'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

@Controller()
class Sends {
  @Workflow('every')
  @WorkflowSchema(['every'])
  every() {}

  @Step('every')
  everyStep(
    @WfAction(EveryKindForm) action?: string,
    @WfInput({ form: EveryKindForm, pass: true }) input?: EveryKindForm,
  ) {
    finishWf({ data: { action, input } })
  }

  @Workflow('tree')
  @WorkflowSchema(['tree'])
  tree() {}

  @Step('tree')
  treeStep(@WfInput({ form: TreeForm }) input: TreeForm) {
    finishWf({ data: { input } })
  }

  @Workflow('decide')
  @WorkflowSchema(['decide'])
  decide() {}

  @Step('decide')
  decideStep(@WfInput({ form: ActionForm }) input: ActionForm) {
    finishWf({ data: { input } })
  }
}

const FILLED_IN: readonly (readonly [string, string])[] = [
  ['name', 'Ada'],
  ['email', 'ada@example.com'],
  ['password', ' p w '],
  ['guests', '4'],
  ['day', '2026-11-18'],
  ['size', 'large'],
  ['terms', 'on'],
]
const READ = {
  name: 'Ada',
  email: 'ada@example.com',
  password: ' p w ',
  guests: 4,
  day: '2026-11-18',
  size: 'large',
  courses: [],
  terms: true,
}

async function open() {
  const app = await openFormApp(Sends)
  const post = (rawBody: string, headers: Record<string, string> = FORM) =>
    request(app.url, undefined, { rawBody, headers })
  const encode = (fields: readonly (readonly [string, string])[], wfid = 'every') =>
    new URLSearchParams([['wfid', wfid], ...fields.map(field => [...field])] as [
      string,
      string,
    ][]).toString()
  return {
    ...app,
    post,
    /** Posts a form that is right but for these fields. */
    async with(...fields: (readonly [string, string])[]) {
      const names = new Set(fields.map(([name]) => name))
      const others = FILLED_IN.filter(([name]) => !names.has(name))
      const { body } = await post(encode([...others, ...fields]))
      return body.data?.input ?? body.inputRequired?.context ?? body
    },
    send: (fields: readonly (readonly [string, string])[], wfid?: string) =>
      post(encode(fields, wfid)),
  }
}

describe('a form-encoded body', () => {
  it('is read by the types of the form', async () => {
    const app = await open()
    expect(await app.with()).toEqual(READ)
    const more = await app.with(
      ['budget', ' 99.50 '],
      ['until', '2026-11-19'],
      ['table', '2'],
      ['courses', 'starter'],
      ['courses', 'dessert'],
      ['allergies', ''],
      ['allergies', 'nuts'],
      ['note', 'one\r\ntwo'],
      ['address.street', 'Main street'],
      ['address.floor', '3'],
      ['children.0.name', 'Bo'],
      ['children.0.age', '7'],
      ['children.1.name', 'Cy'],
      ['children.1.age', '9'],
      ['news', 'false'],
      ['news', 'true'],
      ['source', 'mail'],
    )
    expect(more).toEqual({
      ...READ,
      budget: 99.5,
      until: Date.UTC(2026, 10, 19),
      table: 2,
      courses: ['starter', 'dessert'],
      allergies: ['nuts'],
      note: 'one\ntwo',
      address: { street: 'Main street', floor: 3 },
      children: [
        { name: 'Bo', age: 7 },
        { name: 'Cy', age: 9 },
      ],
      news: true,
      source: 'mail',
    })
  })

  it('takes what is empty for nothing, and a box that is not there for no', async () => {
    const app = await open()
    const empty = ['budget', 'until', 'table', 'country', 'note', 'address.street', 'address.floor']
    expect(await app.with(...empty.map(name => [name, ''] as const))).toEqual(READ)
    expect(await app.with(['name', ''])).toEqual({ errors: { name: 'Please fill in this field.' } })
    expect(await app.with(['news', 'false'])).toEqual({ ...READ, news: false })
    const { body } = await app.send(FILLED_IN.filter(([name]) => name !== 'terms'))
    expect(body.inputRequired.context.errors).toEqual({ terms: 'Please tick this box.' })
  })

  it.each(['4x', '0x10', 'Infinity', '-', '1e999', '1,5', '٣', '2026-11-18', '4 5'])(
    'does not take %j for a number',
    async text => {
      const app = await open()
      expect(await app.with(['guests', text])).toEqual({
        errors: { guests: 'Please enter a number.' },
      })
    },
  )

  it.each([
    ['size', 'huge'],
    ['table', '4'],
    ['terms', 'maybe'],
    ['until', '2026-99-99'],
    ['courses', 'soup'],
  ])('refuses %s=%s with a sentence', async (name, text) => {
    const app = await open()
    const { errors } = await app.with([name, text])
    expect(Object.keys(errors)).toEqual([name === 'courses' ? 'courses.0' : name])
  })

  it('refuses a name that is repeated where there is one value', async () => {
    const app = await open()
    const { errors } = await app.with(
      ['name', 'a'],
      ['name', 'b'],
      ['guests', '1'],
      ['guests', '2'],
    )
    expect(errors).toEqual({ name: 'Please enter a text.', guests: 'Please enter a number.' })
  })

  it('takes the fields that come with a button for what the button wants', async () => {
    const app = await open()
    const bare = await app.send([...FILLED_IN, ['action', 'later']])
    expect(bare.body.data).toEqual({ action: 'later' })
    const draft = await app.send([
      ['name', 'Ada'],
      ['email', ''],
      ['action', 'draft'],
    ])
    expect(draft.body.data).toEqual({
      action: 'draft',
      input: { name: 'Ada', courses: [] },
    })
    const unknown = await app.send([...FILLED_IN, ['action', 'explode']])
    expect(unknown.body.inputRequired.context.formMessage).toBe('This form has no such action.')
  })

  it('goes no deeper into a type that holds itself than what was sent', async () => {
    const app = await open()
    const { status } = await app.send([['x', 'y']], 'tree')
    expect(status).toBe(200)
  })
})

describe('a hostile form-encoded body', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('is refused with the key %s', async key => {
    const app = await open()
    expect((await app.send([...FILLED_IN, [key, 'x']])).status).toBe(400)
  })

  it('reaches no prototype by a path', async () => {
    const app = await open()
    const paths = [
      '__proto__.polluted',
      'name.__proto__.polluted',
      'constructor.prototype.polluted',
    ]
    expect(await app.with(...paths.map(path => [path, 'x'] as const))).toEqual(READ)
    // Something was sent for the address, and it is not the street.
    const { errors } = await app.with(['address.__proto__.polluted', 'x'])
    expect(Object.keys(errors)).toEqual(['address.street'])
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  it('has at most a thousand fields, and lists no longer than the form allows', async () => {
    const app = await open()
    const many = Array.from({ length: 1001 }, (_, at) => [`x${at}`, 'x'] as const)
    expect((await app.send(many)).status).toBe(400)
    const courses = Array.from({ length: 980 }, () => ['courses', 'main'] as const)
    expect((await app.with(...courses)).courses).toHaveLength(980)
    const far = await app.with(['children.999999.name', 'Bo'], ['children.1e3.name', 'Bo'])
    expect(far).toEqual(READ)
  })

  it('takes no longer for a name that is all dots', async () => {
    const app = await open()
    const name = 'address' + '.a'.repeat(400_000)
    expect(await app.with([name, 'x'])).toEqual(READ)
  })

  it('keeps to the limit of a body', async () => {
    const app = await open()
    const { status, body } = await app.post(`wfid=every&name=${'x'.repeat(1024 * 1024)}`)
    expect([status, body.message]).toEqual([413, 'The body is too large.'])
  })

  it.each([
    ['Latin-1', 'name=M%FCller'],
    ['half of a surrogate pair', 'name=%ED%A0%80'],
    ['a name in Latin-1', 'n%E4me=x'],
  ])('is refused in %s, and not misread', async (_what, text) => {
    const app = await open()
    const { status, body } = await app.post(`wfid=every&${text}`)
    expect([status, body.message]).toEqual([400, 'The form must be encoded as UTF-8.'])
  })

  it('may hold the character that stands for what could not be read', async () => {
    const app = await open()
    expect(await app.with(['name', 'a\uFFFDb'])).toEqual({ ...READ, name: 'a\uFFFDb' })
  })

  it('gets a sentence at the field for NUL', async () => {
    const app = await open()
    const { errors } = await app.with(['name', 'a\0b'], ['address.street', '\0'])
    expect(Object.keys(errors)).toEqual(['name', 'address.street'])
  })

  it('cannot bring files', async () => {
    const app = await open()
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, body } = await app.post('--x\r\n\r\n--x--', type)
    expect([status, body.message]).toEqual([415, 'Files cannot be sent here.'])
  })

  it('is not taken for the wrapped input of newer clients', async () => {
    const app = await open()
    const { body } = await app.send([['formData', 'x']], 'decide')
    expect(body.inputRequired.context.errors).toEqual({ action: 'Please choose one.' })
  })

  it('never fails, whatever it says', async () => {
    const app = await open()
    const name = fc.oneof(
      fc.constantFrom('name', 'guests', 'terms', 'courses', 'address', 'children', 'until'),
      fc.constantFrom('children.0', 'children.0.age', 'address.floor', 'courses.0', '.', '0', ''),
      fc.string(),
    )
    const text = fc.oneof(fc.string(), fc.constantFrom('on', '1', 'false', '2026-11-18', '\uD800'))
    const fields = fc.array(fc.tuple(name, text), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fields, async given => {
        const { status } = await app.send(given)
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })
})
