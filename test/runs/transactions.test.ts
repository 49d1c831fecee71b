import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { openDurableApp, startOrder } from '../support/durable-app'
import { RunDatabase } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }
const EVE = { input: { name: 'Eve' } }
const UNDONE = new Error('undone')

describe.each(testEngines())('runs within a transaction, on $name', engine => {
  let database: RunDatabase
  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  beforeEach(() => database.clear())
  afterAll(() => database.drop())
  const open = () => openDurableApp({ runs: database.store(), clock: database.clock })

  it('are started with it, and begun once it is committed', async () => {
    const { api } = await open()
    const undone = database.space.transaction(async transaction => {
      await api.start('shop/order', { ...ADA, transaction })
      throw UNDONE
    })
    await expect(undone).rejects.toBe(UNDONE)
    expect((await api.list()).runs).toEqual([])
    const { flowId } = await database.space.transaction(transaction =>
      api.start('shop/order', { ...ADA, transaction }),
    )
    expect(await api.get(flowId)).toMatchObject({ status: 'created', isHeld: false })
    expect(await api.runDue()).toMatchObject({ done: 1 })
  })

  it('are read and changed by each method as the transaction sees them, and as before if it is undone', async () => {
    const { api } = await open()
    const { flowId } = await startOrder(await open())
    const before = await api.getSnapshot(flowId)
    const undone = database.space.transaction(async transaction => {
      const { version } = (await api.get(flowId, { transaction }))!
      expect(await api.update(flowId, version, () => ({ n: 1 }), { transaction })).toBe(version + 1)
      expect(await api.recordStepResult(flowId, 'credit', 1, { transaction })).toBe(version + 2)
      expect(await api.extend(flowId, { ttlMs: 5, transaction })).toBe(true)
      expect(await api.cancel(flowId, { transaction })).toBe(true)
      const [view] = await api.getMany([flowId], { transaction })
      expect(view).toMatchObject({ status: 'cancelled', context: { n: 1 } })
      expect((await api.list({ status: 'cancelled', transaction })).runs).toHaveLength(1)
      expect((await api.history(flowId, { transaction })).at(-1)).toMatchObject({
        type: 'cancelled',
      })
      const snapshot = (await api.getSnapshot(flowId, { transaction }))!
      const copy = { ...snapshot, flowId: 'copy', resume: { ...snapshot.resume, links: [] } }
      expect(await api.restore(copy, { schemaId: 'shop/order', transaction })).toBe('copy')
      throw UNDONE
    })
    await expect(undone).rejects.toBe(UNDONE)
    expect(await api.getSnapshot(flowId)).toEqual(before)
    expect(await api.get('copy')).toBeNull()
  })

  it('are answered with it, and go on once it is committed', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    const before = await app.api.getSnapshot(flowId)
    const undone = database.space.transaction(async transaction => {
      expect(await app.api.answer(token, { ...EVE, actor: 'eve', transaction })).toEqual({ flowId })
      await expect(app.api.answer(token, { ...ADA, transaction })).rejects.toMatchObject({
        code: 'WF_CONFLICT',
      })
      throw UNDONE
    })
    await expect(undone).rejects.toBe(UNDONE)
    expect(await app.api.getSnapshot(flowId)).toEqual(before)
    expect(await app.api.runDue()).toMatchObject({ done: 0 })
    await database.space.transaction(transaction =>
      app.api.answer(token, { ...ADA, actor: 'ada', transaction }),
    )
    expect(app.ran).toEqual(['ask'])
    expect(await app.api.get(flowId)).toMatchObject({ status: 'paused', isHeld: false })
    expect(await app.api.runDue()).toMatchObject({ done: 1 })
    expect(await app.api.get(flowId)).toMatchObject({
      status: 'completed',
      context: { name: 'Ada' },
    })
  })

  it('are answered once by two transactions at the same time', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    const answers = await Promise.allSettled(
      [ADA, EVE].map(answer =>
        database.space.transaction(transaction =>
          app.api.answer(token, { ...answer, transaction }),
        ),
      ),
    )
    const isWinner = ({ status }: PromiseSettledResult<unknown>) => status === 'fulfilled'
    expect(answers.filter(isWinner)).toHaveLength(1)
    expect(answers.find(answer => !isWinner(answer))).toMatchObject({
      reason: { code: 'WF_CONFLICT' },
    })
    await app.api.runDue()
    const { input } = [ADA, EVE][answers.findIndex(isWinner)]!
    expect(await app.api.get(flowId)).toMatchObject({ context: input })
  })

  it('go on with an answer of a transaction, whatever a request with the link brings later', async () => {
    const app = await open()
    const { token, flowId } = await startOrder(app)
    await database.space.transaction(transaction => app.api.answer(token, { ...ADA, transaction }))
    expect(await app.runner.resume(token, EVE)).toMatchObject({ kind: 'finished' })
    expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada' } })
  })

  it('are tried again with it', async () => {
    const app = await open()
    const { flowId } = await app.api.start('shop/order')
    expect(await app.api.result(flowId)).toMatchObject({ status: 'failed' })
    const retry = { reason: 'mended' }
    const undone = database.space.transaction(async transaction => {
      expect(await app.api.retry(flowId, { ...retry, transaction })).toBe(true)
      throw UNDONE
    })
    await expect(undone).rejects.toBe(UNDONE)
    expect(await app.api.get(flowId)).toMatchObject({ status: 'failed' })
    await database.space.transaction(transaction =>
      app.api.retry(flowId, { ...retry, transaction }),
    )
    app.deeds.ask = () => undefined
    expect(await app.api.runDue()).toMatchObject({ done: 1 })
  })

  it('are refused what is no transaction', async () => {
    const { api } = await open()
    const asked = api.start('shop/order', { transaction: {} })
    await expect(asked).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })
})
