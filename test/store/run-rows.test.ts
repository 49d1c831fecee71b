import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOf, runThatIs } from '../../src/testing/runs/opened-run-store'
import { testEngines } from '../support/databases'
import { hangIn, openDurableApp, startOrder } from '../support/durable-app'
import { RunDatabase } from '../support/run-stores'

const ADA = 'ada@example.com'

describe.each(testEngines())('rows of runs on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  beforeEach(() => database.clear())
  afterAll(() => database.drop())

  const found = async () =>
    (await database.runs.findMany({ filter: { inviteEmail: ADA } })).map(({ status }) => status)

  it('have the context in shadow columns while they wait, work and when they have ended', async () => {
    const { clock } = database
    const app = await openDurableApp({ runs: database.store(), clock })
    const { ask } = app.deeds
    app.deeds.ask = (ctx, input) => {
      ctx.email = ADA
      return ask(ctx, input)
    }
    const { token, flowId } = await startOrder(app)
    expect(await found()).toEqual(['paused'])
    const { letGo, result } = await hangIn(app, 'work', token, { name: 'Ada' })
    expect(await found()).toEqual(['active'])
    letGo()
    await result
    expect(await found()).toEqual(['completed'])
    const store = database.store()
    const filter = { inviteEmail: ADA } as never
    expect(await store.list({ filter })).toMatchObject([{ flowId, inviteEmail: ADA }])
    expect(await store.count({ filter })).toBe(1)
    expect(await store.countBy('status' as never)).toMatchObject([{ count: 1 }])
    const names = store.columns().map(({ name }) => name)
    expect(names).toContain('inviteEmail')
    for (const hidden of ['state', 'answer', 'input', 'result']) {
      expect(names).not.toContain(hidden)
    }
  })

  it('have a column that was changed from outside', async () => {
    const { clock } = database
    const app = await openDurableApp({ runs: database.store(), clock })
    const { flowId } = await startOrder(app)
    const { version } = (await app.api.get(flowId))!
    await app.api.update(flowId, version, () => ({ email: ADA }))
    expect(await found()).toEqual(['paused'])
  })

  it('are healed without a trace in version and history', async () => {
    const { clock } = database
    const opened = { clock, store: database.store() }
    const state = { schemaId: 'suite/flow', indexes: [0], context: { email: ADA } }
    const begun = await runThatIs(opened, 'paused', { state })
    const before = await allOf(opened, begun)
    await database.runs.updateMany({}, { inviteEmail: null })
    expect([await found(), await opened.store.drift()]).toEqual([[], 1])
    expect(await opened.store.heal()).toBe(1)
    expect([await found(), await opened.store.drift()]).toEqual([['paused'], 0])
    expect(await allOf(opened, begun)).toEqual(before)
  })

  it('have one row for a step that was completed, and two events', async () => {
    const { clock } = database
    const opened = { clock, store: database.store() }
    const begun = await runThatIs(opened)
    const at = clock.now()
    const events = [
      { type: 'resumed', to: 'active' },
      { type: 'step_started', stepId: 'one', at: at - 5 },
      { type: 'step_completed', stepId: 'one', detail: { changed: { a: 1 } } },
      { type: 'step_started', stepId: 'two' },
      { type: 'step_completed', stepId: 'another' },
    ] as const
    const { run } = (await opened.store.commit(begun, { events }))!
    const { flowId, version } = run
    const history = await opened.store.history(flowId)
    expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1))
    expect(history.slice(-4)).toMatchObject([
      { type: 'step_started', stepId: 'one', at: at - 5, detail: {} },
      { type: 'step_completed', stepId: 'one', at, detail: { changed: { a: 1 } } },
      { type: 'step_started', stepId: 'two' },
      { type: 'step_completed', stepId: 'another' },
    ])
    const rows = await database.events.findMany({ filter: { flowId, seq: { $gt: version - 4 } } })
    expect(rows.map(({ seq, startedAt }) => [seq - version, startedAt])).toEqual([
      [-2, at - 5],
      [-1, null],
      [0, null],
    ])
  })

  it('have one event of each number: a commit that would write a second one writes nothing', async () => {
    const { clock } = database
    const opened = { clock, store: database.store() }
    const begun = await runThatIs(opened)
    const [first] = await database.events.findMany({ filter: { seq: 1 } })
    await expect(database.events.insertOne(first!)).rejects.toThrow()
    await database.events.insertOne({ ...first!, seq: 3 })
    const before = await allOf(opened, begun)
    const events = [{ type: 'resumed', to: 'active' }] as const
    await expect(opened.store.commit(begun, { events })).rejects.toThrow()
    expect(await allOf(opened, begun)).toEqual(before)
  })
})
