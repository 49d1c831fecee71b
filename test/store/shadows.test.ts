import { AsWfStore } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { suiteType } from '../../src/testing/table/suite-type'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

describe('shadow columns', () => {
  it('are copied from their paths, in the statement that writes the state', async () => {
    const { store, rowOf } = await openExpenses()
    await store.set(
      'h',
      expense({ expense: { amount: 12.5, urgent: false }, applicant: 'ada', stage: 'open' }),
    )
    expect(await rowOf('h')).toMatchObject({
      amount: 12.5,
      urgent: false,
      applicant: 'ada',
      stage: 'open',
    })
  })

  it('become null on a miss, or keep a default', async () => {
    const { store, rowOf } = await openExpenses()
    await store.set('h', expense({}))
    expect(await rowOf('h')).toMatchObject({
      amount: null,
      urgent: null,
      applicant: null,
      stage: 'new',
    })
    await store.set('h', expense({ applicant: 'ada', stage: 'open', expense: { amount: 1 } }))
    await store.set('h', expense({ applicant: null }))
    expect(await rowOf('h')).toMatchObject({ amount: null, applicant: null, stage: 'open' })
  })

  const WRONG: [string, unknown][] = [
    ['a number for a text', 5],
    ['a list', ['ada']],
    ['an object', { name: 'ada' }],
    ['a text with NUL', 'a\0da'],
    ['half a surrogate pair', '\ud800'],
    ['a text that is too long for its index', 'x'.repeat(256)],
  ]
  it.each(WRONG)('become null for %s, and the flow goes on', async (_title, applicant) => {
    const { store, rowOf } = await openExpenses()
    await store.set('h', expense({ applicant }))
    expect((await rowOf('h')).applicant).toBeNull()
    expect((await store.getAndDelete('h'))?.state.context).toEqual({ applicant })
  })

  it.each([...WRONG.map(([, applicant]) => ({ applicant })), { expense: { amount: Infinity } }])(
    'become null on a table of the public shape as well: %j',
    async context => {
      const { table, clock } = await openExpenses()
      const store = new AsWfStore({ table: publicTable(table), clock, warn: () => {} })
      await store.set('h', expense(context))
      expect(await store.get('h')).not.toBeNull()
    },
  )

  it('of the wrong type are reported once per column, without the value', async () => {
    // A type of its own, because what is reported is remembered per process and type.
    const { space } = await openExpenses()
    const string = { of: 'string', optional: true } as const
    const type = suiteType('reported', {
      id: { of: 'string', annotations: { 'meta.id': true, 'db.default.uuid': true } },
      handle: { of: 'string', annotations: { 'db.index.unique': [{}] } },
      schemaId: { of: 'string' },
      state: { of: 'json' },
      version: { of: 'number' },
      expiresAt: { of: 'number', optional: true },
      createdAt: { of: 'number' },
      updatedAt: { of: 'number' },
      createdBy: string,
      lastUpdatedBy: string,
      applicant: { ...string, annotations: { 'wf.store.fromContext': 'applicant' } },
      stage: {
        of: 'string',
        annotations: { 'wf.store.fromContext': 'stage', 'db.default': 'new' },
      },
      days: {
        of: 'number',
        optional: true,
        annotations: { 'wf.store.fromContext': 'days', 'expect.int': true },
      },
    })
    const table = space.table(type)
    await space.sync()
    const warnings: string[] = []
    const store = new AsWfStore({ table, warn: text => warnings.push(text) })
    for (let n = 0; n < 3; n++) {
      await store.set(`h${n}`, expense({ applicant: 424_242, stage: ['secret'], days: 1.5 }))
    }
    expect(await table.findOne({ filter: { handle: 'h2' } })).toMatchObject({
      applicant: null,
      stage: 'new',
      days: null,
    })
    expect(warnings).toHaveLength(3)
    expect(warnings[0]).toMatch(/"applicant" is of type number, not string/u)
    expect(warnings[2]).toMatch(/"days" is nothing that the column takes/u)
    expect(warnings.join()).not.toMatch(/424|secret|1\.5/u)
  })

  it('hold what the state holds once it is stored', async () => {
    const { store, rowOf } = await openExpenses()
    const date = new Date(5)
    await store.set('h', expense({ applicant: date, expense: { toJSON: () => ({ amount: 7 }) } }))
    expect(await rowOf('h')).toMatchObject({ applicant: date.toJSON(), amount: 7 })
    expect(await store.drift()).toBe(0)
    await store.set('h', expense({ expense: { amount: Number.NaN } }))
    expect((await rowOf('h')).amount).toBeNull()
    expect(await store.drift()).toBe(0)
  })

  it('never look at what a context inherits, nor into lists and texts', async () => {
    const { store, rowOf } = await openExpenses()
    const inherited = Object.create({ applicant: 'mallory', expense: { amount: 1 } })
    await store.set('h', expense(inherited))
    expect(await rowOf('h')).toMatchObject({ applicant: null, amount: null })
    for (const context of [[], 'text', null, 7]) {
      await store.set('h', expense(context))
      expect(await rowOf('h')).toMatchObject({ applicant: null, amount: null })
    }
  })

  const id = { of: 'string', annotations: { 'meta.id': true } } as const
  const base = {
    handle: { of: 'string' },
    schemaId: { of: 'string' },
    state: { of: 'json' },
    version: { of: 'number' },
  } as const
  const shadow = (path: string) => ({ 'wf.store.fromContext': path })
  const REFUSED: [string, object, RegExp][] = [
    [
      'a path with a wildcard',
      { a: { of: 'string', optional: true, annotations: shadow('a.*') } },
      /dot notation/u,
    ],
    [
      'a path into the prototype',
      { a: { of: 'string', optional: true, annotations: shadow('a.__proto__') } },
      /never goes through/u,
    ],
    [
      'the id',
      { id: { of: 'string', annotations: { 'meta.id': true, ...shadow('a') } } },
      /it is the id/u,
    ],
    ['a required field', { a: { of: 'string', annotations: shadow('a') } }, /neither optional/u],
    ['JSON', { a: { of: 'json', optional: true, annotations: shadow('a') } }, /no string/u],
  ]
  it.each(REFUSED)('cannot be %s, whoever compiled it', (_title, fields, message) => {
    const type = suiteType('refused', { id, ...base, ...fields })
    const table = Object.fromEntries(
      ['findOne', 'findMany', 'insertOne', 'updateMany', 'deleteMany'].map(name => [
        name,
        () => {},
      ]),
    )
    expect(() => new AsWfStore({ table: { type, ...table } as never })).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG', message: expect.stringMatching(message) }),
    )
  })
})
