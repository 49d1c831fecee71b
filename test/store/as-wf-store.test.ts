import { HandleStateStrategy, type WfState } from '@atscript/moost-wf'
import {
  AsWfStore,
  type WfSetPayloadOptions,
  type WfSnapshot,
  type WfStoredRow,
} from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

const flow: WfState = {
  ...expense({ applicant: 'ada' }),
  meta: { wf: { flowId: 'flow-1', seq: 2, startedAt: 7, startedBy: 'ada', stepId: 'ask' } },
}

describe('AsWfStore', () => {
  it('stamps who writes and when, and creation once', async () => {
    let actor: string | undefined = 'ada'
    const { store, clock, rowOf } = await openExpenses({ actor: () => actor })
    const created = clock.now()
    await store.set('h', expense({}))
    const stamps = {
      createdBy: 'ada',
      createdAt: created,
      lastUpdatedBy: 'ada',
      updatedAt: created,
    }
    expect(await rowOf('h')).toMatchObject({ ...stamps, version: 1 })
    clock.advance(5)
    actor = undefined
    await store.set('h', expense({}))
    const updated = { lastUpdatedBy: null, updatedAt: created + 5, version: 2 }
    expect(await rowOf('h')).toMatchObject({ ...stamps, ...updated })
  })

  it('shows who the flow is, whatever its handle is called', async () => {
    const { store, rowOf } = await openExpenses()
    const strategy = new HandleStateStrategy({ store })
    const first = await strategy.persist(flow)
    expect(await rowOf(first)).toMatchObject({ flowId: 'flow-1', startedAt: 7, startedBy: 'ada' })
    const state = (await strategy.consume(first))!
    const second = await strategy.persist(state)
    expect(second).not.toBe(first)
    expect(await rowOf(second)).toMatchObject({ flowId: 'flow-1', startedAt: 7, startedBy: 'ada' })
  })

  it('leaves an expired row to the cleanup, so that an admin can see it', async () => {
    const { store, clock, table } = await openExpenses()
    await store.set('h', expense({}), clock.now())
    expect(await store.getAndDelete('h')).toBeNull()
    expect(await table.count({ filter: {} })).toBe(1)
    expect(await store.getSnapshot('h')).toMatchObject({ status: 'expired' })
  })

  it('takes fractions and far futures for an expiry', async () => {
    const { store, clock, rowOf } = await openExpenses()
    await store.set('h', expense({}), clock.now() + 0.5)
    expect((await rowOf('h')).expiresAt).toBe(clock.now())
    await store.set('h', expense({}), Infinity)
    expect((await rowOf('h')).expiresAt).toBeNull()
    await expect(store.set('h', expense({}), Number.NaN)).rejects.toThrow(TypeError)
  })

  it.each(['', '\0', 'x'.repeat(256), 7 as never])('refuses to write to %j', async handle => {
    const { store } = await openExpenses()
    await expect(store.set(handle, expense({}))).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
  })

  it.each([
    ['a BigInt', { deep: { amount: 1n } }, /context\.deep\.amount is a BigInt/u],
    ['no context', undefined, /context is undefined/u],
  ])('names the path of %s', async (_title, context, message) => {
    const { store } = await openExpenses()
    await expect(store.set('h', expense(context))).rejects.toThrow(message)
  })

  it('keeps a copy, however the row is written', async () => {
    const { table, clock } = await openExpenses()
    class Looking extends AsWfStore {
      protected override findRow(handle: string) {
        return super.findRow(handle)
      }
    }
    for (const store of [new AsWfStore({ table, clock }), new Looking({ table, clock })]) {
      const state = expense({ applicant: 'ada' })
      const writing = store.set('h', state)
      ;(state.context as { applicant: string }).applicant = 'mallory'
      await writing
      expect((await store.get('h'))?.state.context).toEqual({ applicant: 'ada' })
    }
  })

  it('works with a clock that has fractions', async () => {
    const { table } = await openExpenses()
    const store = new AsWfStore({ table, clock: { now: () => 1000.7 } })
    await store.set('h', expense({}), 1001)
    expect(await store.getAndDelete('h')).not.toBeNull()
  })

  it('puts back what it cannot give out', async () => {
    const { table, clock } = await openExpenses()
    let isAway = true
    class Sealed extends AsWfStore {
      protected override assembleResult(row: WfStoredRow) {
        if (isAway) throw new Error('The keys are away.')
        return super.assembleResult(row)
      }
    }
    const store = new Sealed({ table, clock })
    await store.set('h', expense({ applicant: 'ada' }))
    await expect(store.getAndDelete('h')).rejects.toThrow('The keys are away.')
    isAway = false
    expect((await store.getAndDelete('h'))?.state.context).toEqual({ applicant: 'ada' })
  })

  it('heals and takes snapshots of what a subclass has sealed', async () => {
    const { table, clock, rowOf } = await openExpenses()
    class Sealed extends AsWfStore {
      protected override buildSetPayload(
        handle: string,
        state: WfState,
        options: WfSetPayloadOptions,
      ) {
        const payload = super.buildSetPayload(handle, state, options)
        const sealed = Buffer.from(JSON.stringify(state.context)).toString('base64')
        return { ...payload, state: { indexes: state.indexes, context: { sealed } } }
      }

      protected override assembleResult(row: WfStoredRow) {
        const stored = super.assembleResult(row)
        const { sealed } = stored.state.context as { sealed: string }
        const context: unknown = JSON.parse(Buffer.from(sealed, 'base64').toString())
        return { ...stored, state: { ...stored.state, context } }
      }
    }
    const store = new Sealed({ table, clock })
    await store.set('h', expense({ applicant: 'ada' }))
    expect((await rowOf('h')).applicant).toBe('ada')
    expect(await store.drift()).toBe(0)
    expect((await store.getSnapshot('h'))?.state.context).toEqual({ applicant: 'ada' })
  })

  it('refuses an operator where a scope names columns', async () => {
    const { table, clock } = await openExpenses()
    class Clever extends AsWfStore {
      protected override scope() {
        return { $or: [{ tenantId: 'mine' }] }
      }
    }
    const store = new Clever({ table, clock })
    await expect(store.getAndDelete('h')).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })

  it('refuses an id of several columns, which it could not tell rows apart by', async () => {
    const { table } = await openExpenses()
    const props = new Map(table.type.type.props)
    props.set('tenantId', { ...props.get('tenantId')!, metadata: new Map([['meta.id', true]]) })
    const type = { ...table.type, type: { kind: 'object', props } }
    const composite = { ...publicTable(table), type }
    expect(() => new AsWfStore({ table: composite })).toThrow(/one field with @meta\.id/u)
  })

  it('reads many at once', async () => {
    const { store, clock } = await openExpenses()
    for (const handle of ['a', 'b', 'c']) await store.set(handle, expense({ applicant: handle }))
    await store.set('expired', expense({}), clock.now())
    const found = await store.getMany(['c', 'a', 'a', 'unknown', 'expired', '\0'])
    expect([...found].map(([handle, { state }]) => [handle, state.context])).toEqual(
      expect.arrayContaining([
        ['a', { applicant: 'a' }],
        ['c', { applicant: 'c' }],
      ]),
    )
    expect(found.size).toBe(2)
    const thousands = Array.from({ length: 1300 }, (_, n) => `h${n}`)
    expect((await store.getMany([...thousands, 'b'])).size).toBe(1)
    expect((await store.getMany([])).size).toBe(0)
  })

  it('lists flows by workflow and by shadow columns', async () => {
    const { store } = await openExpenses()
    for (const n of [1, 2, 3]) await store.set(`h${n}`, expense({ expense: { amount: n } }))
    await store.set('other', expense({ expense: { amount: 9 } }, 'approvals/travel'))
    const big = await store.list({
      schemaId: 'approvals/expense',
      filter: { amount: { $gte: 2 } },
      controls: { $sort: { amount: -1 }, $limit: 10, $select: ['handle', 'amount'] },
    })
    expect(big).toEqual([
      { handle: 'h3', amount: 3 },
      { handle: 'h2', amount: 2 },
    ])
    expect(await store.list()).toHaveLength(4)
    expect(await store.list({})).toHaveLength(4)
    expect(await store.count({})).toBe(4)
    const refused = { code: 'WF_DB_FILTER' }
    for (const options of [{ filter: { nope: 1 } }, { filter: undefined }, { amount: 2 }]) {
      await expect(store.list(options)).rejects.toMatchObject(refused)
      await expect(store.count(options)).rejects.toMatchObject(refused)
      await expect(store.countBy('amount', options)).rejects.toMatchObject(refused)
    }
  })

  it('refuses a filter that is undefined, whatever the table would make of it', async () => {
    const { table } = await openExpenses()
    const careless = { ...publicTable(table), findMany: () => table.findMany({}) }
    const store = new AsWfStore({ table: careless })
    const refused = { code: 'WF_DB_FILTER' }
    await expect(store.list({ filter: undefined })).rejects.toMatchObject(refused)
    await expect(store.count({ filter: undefined })).rejects.toMatchObject(refused)
  })

  it('never turns a failing table into "not found"', async () => {
    const { store, space } = await openExpenses()
    await space.close()
    for (const operation of [
      () => store.get('h'),
      () => store.getAndDelete('h'),
      () => store.delete('h'),
      () => store.set('h', expense({})),
      () => store.getMany(['h']),
      () => store.list(),
      () => store.heal(),
      () => store.cleanup(),
    ]) {
      await expect(operation()).rejects.toMatchObject({ code: 'WF_DB_UNAVAILABLE' })
    }
  })

  it.each([
    ['a table', {}, /table has findOne/u],
    ['a record', { table: 'other' }, /extends AsWfStateRecord/u],
    ['a clock', { clock: {} }, /clock has a now/u],
    ['an actor', { actor: 'ada' }, /actor is a function/u],
    ['a boolean', { hashHandles: 'yes' }, /hashHandles is true or false/u],
  ])('refuses to be made without %s', async (_title, wrong, message) => {
    const { table } = await openExpenses()
    const methods = {
      findOne() {},
      findMany() {},
      insertOne() {},
      updateMany() {},
      deleteMany() {},
    }
    const other = { ...methods, type: { type: { kind: 'object', props: new Map() } } }
    const given =
      'table' in wrong ? { table: other } : Object.keys(wrong).length > 0 ? { table, ...wrong } : {}
    expect(() => new AsWfStore(given as never)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG', message: expect.stringMatching(message) }),
    )
  })
})

describe('hashed handles', () => {
  it('keep live links out of the table', async () => {
    const { store, table } = await openExpenses({ hashHandles: true })
    await store.set('my-secret-handle', flow)
    const dump = JSON.stringify(await table.findMany({ filter: {} }))
    expect(dump).not.toContain('my-secret-handle')
    expect(dump).toContain('flow-1')
    expect(await store.get('my-secret-handle')).not.toBeNull()
    const [row] = await table.findMany({ filter: {} })
    expect(await store.get(row!.handle)).toBeNull()
    expect(await store.getAndDelete('my-secret-handle')).not.toBeNull()
  })

  it('are no handles themselves, to any store', async () => {
    const { store, table, clock } = await openExpenses({ hashHandles: true })
    await store.set('secret', expense({}))
    const [row] = await table.findMany({ filter: {} })
    const plain = new AsWfStore({ table, clock })
    expect(await plain.get(row!.handle)).toBeNull()
    expect(await plain.getAndDelete(row!.handle)).toBeNull()
  })

  it('are hashed before any hook sees them', async () => {
    const { table, clock } = await openExpenses()
    const seen: string[] = []
    class Watching extends AsWfStore {
      protected override findRow(handle: string) {
        seen.push(handle)
        return super.findRow(handle)
      }

      protected override buildSetPayload(
        handle: string,
        state: WfState,
        options: WfSetPayloadOptions,
      ) {
        seen.push(handle)
        return super.buildSetPayload(handle, state, options)
      }
    }
    const store = new Watching({ table, clock, hashHandles: true })
    await store.set('secret', expense({}))
    await store.get('secret')
    await store.getSnapshot('secret')
    await store.getAndDelete('secret')
    await store.delete('secret')
    expect(seen.length).toBeGreaterThan(4)
    expect(seen).not.toContain('secret')
  })
})

describe('snapshots', () => {
  it('are JSON, and bring a flow back under another handle', async () => {
    const { store, clock } = await openExpenses()
    await store.set('h', flow, clock.now() + 1000)
    const snapshot = (await store.getSnapshot('h'))!
    expect(snapshot).toEqual({
      flowId: 'flow-1',
      schemaId: 'approvals/expense',
      version: 1,
      status: 'paused',
      stepId: 'ask',
      state: flow,
      isTerminal: false,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    const copy = JSON.parse(JSON.stringify(snapshot)) as WfSnapshot
    await store.delete('h')
    const handle = await store.restore(copy, { schemaId: 'approvals/expense' })
    expect(handle).not.toBe('h')
    expect((await store.get(handle))?.state).toEqual(flow)
    expect(await store.getSnapshot('unknown')).toBeNull()
  })

  it('of an expired flow can be given more time', async () => {
    const { store, clock } = await openExpenses()
    const meta = { wf: { flow: { flowId: 'f', seq: 1, startedAt: 1 } } }
    await store.set('h', { ...expense({}), meta }, clock.now())
    const snapshot = (await store.getSnapshot('h'))!
    const later = clock.now() + 1000
    const schemaId = 'approvals/expense'
    const handle = await store.restore(snapshot, { schemaId, expiresAt: later })
    const { state, expiresAt } = (await store.get(handle))!
    expect(expiresAt).toBe(later)
    expect(state.meta).toEqual(meta)
  })

  it('with junk for a flow are restored without it', async () => {
    const { store, rowOf } = await openExpenses()
    const wf = { flowId: 'x'.repeat(300), seq: 1, startedAt: 1.5, startedBy: '\0' }
    const state = { ...expense({}), meta: { wf } }
    const snapshot = { state } as never
    const handle = await store.restore(snapshot, { schemaId: 'approvals/expense' })
    expect(await rowOf(handle)).toMatchObject({ flowId: null, startedAt: null, startedBy: null })
  })

  it('of another workflow are refused', async () => {
    const { store, table } = await openExpenses()
    await store.set('h', flow)
    const snapshot = (await store.getSnapshot('h'))!
    const restored = store.restore(snapshot, { schemaId: 'auth/login' })
    await expect(restored).rejects.toMatchObject({ code: 'WF_MISMATCH' })
    const disguised = store.restore(
      { ...snapshot, schemaId: 'auth/login' },
      { schemaId: 'auth/login' },
    )
    await expect(disguised).rejects.toMatchObject({ code: 'WF_MISMATCH' })
    expect(await table.count({ filter: {} })).toBe(1)
  })

  it.each([
    null,
    [],
    'text',
    {},
    { state: null },
    { state: { schemaId: 'approvals/expense' } },
    { state: { schemaId: 'approvals/expense', indexes: ['0'], context: {} } },
    { state: { schemaId: 'approvals/expense', indexes: [-1], context: {} } },
    { state: { schemaId: 'approvals/expense', indexes: [0], context: {}, meta: 'x' } },
    { state: { schemaId: 'approvals/expense', indexes: [0] } },
  ])('are refused when they are none: %j', async snapshot => {
    const { store } = await openExpenses()
    const restored = store.restore(snapshot as never, { schemaId: 'approvals/expense' })
    await expect(restored).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
  })
})
