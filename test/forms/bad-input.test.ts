import { Step, WfInput, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProfileForm } from '../fixtures/schemas/profile-form.as'
import { TreeForm } from '../fixtures/schemas/tree-form.as'
import { openFormApp } from '../support/form-app'

const GOOD = {
  name: 'Ada',
  role: 'member',
  terms: true,
  email: 'ada@example.com',
  pin: '1234',
}

let seen: unknown[] = []

@Controller('profile')
class Profiles {
  @Workflow('edit')
  @WorkflowSchema(['edit'])
  flow() {}

  @Step('edit')
  edit(@WfInput() input: ProfileForm) {
    seen.push(input)
  }
}

const open = () => openFormApp(Profiles)

beforeEach(() => {
  seen = []
})

/** What the form says about an input; `undefined` when it was taken. */
async function contextFor(input: unknown, action?: string) {
  const app = await open()
  const wfs = await app.start('profile/edit')
  const { status, body } = await app.send({ wfs, input, action })
  expect(status).toBe(200)
  return body.inputRequired?.context
}

const errorsFor = async (input: unknown) => (await contextFor(input))?.errors

const MISSING = 'Please fill in this field.'

describe('good input', () => {
  it('is taken', async () => {
    expect(await contextFor(GOOD)).toBeUndefined()
    expect(seen).toEqual([GOOD])
  })

  it('is stripped of what the form does not know, at any depth', async () => {
    const input = {
      ...GOOD,
      isAdmin: true,
      address: { street: 'Main', zip: '12345', geo: { lat: 1 } },
      contact: { phone: '1', note: { short: 's', text: 't' }, mail: 7 },
      children: [{ name: 'Bo', age: 3 }],
      account: 'somebody else',
      help: true,
    }
    expect(await contextFor(input)).toBeUndefined()
    expect(seen).toEqual([
      {
        ...GOOD,
        address: { street: 'Main', zip: '12345' },
        contact: { phone: '1', note: { short: 's' } },
        children: [{ name: 'Bo' }],
      },
    ])
  })

  it('may have null for what is optional, which is left out', async () => {
    expect(await contextFor({ ...GOOD, age: null, address: null, tags: null })).toBeUndefined()
    expect(seen).toEqual([GOOD])
  })

  it('is judged the same every time', async () => {
    const app = await open()
    const input = { ...GOOD, address: { street: 'Main', zip: '12345' } }
    for (let round = 0; round < 3; round++) {
      const { body } = await app.send({ wfid: 'profile/edit', input })
      expect(body).toEqual({ finished: true })
    }
  })
})

describe('bad input gets a sentence per field', () => {
  it.each<[string, unknown, Record<string, string>]>([
    [
      'everything missing',
      {},
      {
        name: MISSING,
        role: 'Please choose one.',
        terms: MISSING,
        email: MISSING,
        pin: MISSING,
      },
    ],
    [
      'every type wrong',
      { name: 1, age: '7', role: {}, terms: 'yes', email: [], pin: { a: 1 }, tags: 'x' },
      {
        name: 'Please enter a text.',
        age: 'Please enter a number.',
        role: 'Please choose one of these: admin, member.',
        terms: 'Please answer with yes or no.',
        email: 'Please enter a text.',
        pin: 'Please enter a text.',
        tags: 'Please give a list.',
      },
    ],
    ['blanks', { ...GOOD, name: '   ' }, { name: MISSING }],
    ['an empty address', { ...GOOD, email: '' }, { email: MISSING }],
    ['no address', { ...GOOD, email: 'ada' }, { email: 'Invalid email format.' }],
    ['too short', { ...GOOD, pin: '12' }, { pin: 'Four digits, please.' }],
    ['too long', { ...GOOD, name: 'x'.repeat(101) }, { name: 'At most 100 characters, please.' }],
    [
      'a megabyte where nothing limits it',
      { ...GOOD, bio: 'x'.repeat(1_000_000) },
      { bio: 'At most 10000 characters, please.' },
    ],
    ['a negative number', { ...GOOD, age: -1 }, { age: 'At least 0, please.' }],
    ['a large number', { ...GOOD, age: 1e9 }, { age: 'At most 150, please.' }],
    ['half a number', { ...GOOD, age: 1.5 }, { age: 'Please enter a whole number.' }],
    [
      'an unknown choice',
      { ...GOOD, role: 'root' },
      { role: expect.stringMatching(/admin, member/u) },
    ],
    ['a choice in another type', { ...GOOD, role: true }, { role: expect.any(String) }],
    ['terms not accepted', { ...GOOD, terms: false }, { terms: 'Please accept the terms.' }],
    [
      'a list that is too long',
      { ...GOOD, tags: ['a', 'b', 'c', 'd'] },
      { tags: 'At most 3 entries, please.' },
    ],
    [
      'a list with junk',
      { ...GOOD, tags: ['a', 1, null] },
      { 'tags.1': 'Please enter a text.', 'tags.2': MISSING },
    ],
    [
      'an array for an object',
      { ...GOOD, address: [] },
      { address: 'Please fill in this section.' },
    ],
    [
      'a text for an object',
      { ...GOOD, address: 'Main' },
      { address: 'Please fill in this section.' },
    ],
    [
      'junk inside',
      { ...GOOD, address: { street: { a: [] }, zip: 'abc' } },
      { 'address.street': 'Please enter a text.', 'address.zip': 'Five digits, please.' },
    ],
    [
      'neither of two shapes',
      { ...GOOD, contact: { fax: '1' } },
      { contact: 'This does not look right.' },
    ],
    [
      'parts of both shapes',
      { ...GOOD, contact: { phone: '1', note: { text: 't' } } },
      { contact: 'This does not look right.' },
    ],
    ['null in a list of objects', { ...GOOD, children: [null] }, { 'children.0': MISSING }],
    [
      'the same twice',
      { ...GOOD, children: [{ name: 'A' }, { name: 'A' }] },
      { 'children.1': 'This is in the list already.' },
    ],
    [
      'a long list',
      { ...GOOD, children: Array.from({ length: 1001 }, (_, i) => ({ name: `${i}` })) },
      { children: 'At most 1000 entries, please.' },
    ],
  ])('%s', async (_what, input, errors) => {
    expect(await errorsFor(input)).toEqual(errors)
    expect(seen).toEqual([])
  })

  it.each([
    ['an array', [GOOD]],
    ['a text', 'name=Ada'],
    ['a number', 0],
    ['false', false],
  ])('and one for the form when it is %s', async (_what, input) => {
    const formMessage = 'The form could not be read. Please send it again.'
    expect(await contextFor(input)).toEqual({ errors: { __form: formMessage }, formMessage })
  })

  it.each([
    ['null', null],
    ['nothing', undefined],
  ])('and none when it is %s: nothing was sent', async (_what, input) => {
    expect(await contextFor(input)).toEqual({})
  })

  it('and a limited number of them', async () => {
    const children = Array.from({ length: 1000 }, (_, name) => ({ name }))
    const errors = await errorsFor({ ...GOOD, children })
    expect(Object.keys(errors).length).toBeGreaterThan(10)
    expect(Object.keys(errors).length).toBeLessThanOrEqual(50)
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'not for %s: the body is refused',
    async key => {
      const app = await open()
      const wfs = await app.start('profile/edit')
      const rawInput = `{"wfs":${JSON.stringify(wfs)},"input":{"name":{"${key}":{"admin":true}}}}`
      const answer = await app.sendRaw(rawInput)
      expect(answer.status).toBe(400)
      expect((await app.send({ wfs, input: GOOD })).body).toEqual({ finished: true })
    },
  )
})

describe('a union that contains itself', () => {
  it('is judged in time, however deep it is', async () => {
    @Controller('trees')
    class Trees {
      @Workflow('plant')
      @WorkflowSchema(['plant'])
      flow() {}

      @Step('plant')
      plant(@WfInput() input: TreeForm) {
        seen.push(input)
      }
    }
    let tree: object = { kind: 'any', leaf: true }
    for (let depth = 0; depth < 30; depth++) tree = { kind: 'any', items: [tree] }
    const app = await openFormApp(Trees)
    const { body } = await app.send({ wfid: 'trees/plant', input: { tree } })
    expect(body).toEqual({ finished: true })
    expect(JSON.stringify(seen)).not.toContain('leaf')
  })
})

describe('an action with data', () => {
  it('may leave anything out, at any depth', async () => {
    expect(await contextFor({ address: { zip: '12345' } }, 'draft')).toBeUndefined()
    expect(seen).toEqual([{ address: { zip: '12345' } }])
  })

  it('has what was typed of a choice, whichever it is', async () => {
    const input = { contact: { phone: '1', note: { short: 's' } } }
    expect(await contextFor(input, 'draft')).toBeUndefined()
    expect(seen).toEqual([input])
  })

  it('still checks what is there', async () => {
    const context = await contextFor({ name: 7, address: { zip: 'x' }, junk: 1 }, 'draft')
    expect(context.errors).toEqual({
      name: 'Please enter a text.',
      'address.zip': 'Five digits, please.',
    })
  })
})
