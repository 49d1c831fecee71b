import { finishWf, outletEmail, useWfFinished } from '@atscript/moost-wf'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { openDurableApp, startOrder } from '../support/durable-app'
import { RunDatabase } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }

describe.each(testEngines())('runs on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  beforeEach(() => database.clear())
  afterAll(() => database.drop())

  const open = (schema?: string[]) =>
    openDurableApp({ runs: database.store(), clock: database.clock }, { schema: schema as never })

  it('that a build cannot go on with are counted, per step, and those that have ended are not', async () => {
    const app = await open()
    await startOrder(app)
    await startOrder(app)
    app.deeds.work = () => outletEmail('ada@example.com', 'decide')
    await app.runner.resume((await startOrder(app)).token, ADA)
    const { flowId } = await startOrder(app)
    await app.api.cancel(flowId)
    const store = database.store()
    expect(await store.checkPaused(app.wf)).toEqual({ checked: 3, stranded: [] })
    const seen: number[] = []
    const onProgress = ({ checked }: { checked: number }) => void seen.push(checked)
    const next = await open(['ask', 'last'])
    expect(await store.checkPaused(next.wf, { batchSize: 2, onProgress })).toEqual({
      checked: 3,
      stranded: [{ schemaId: 'shop/order', stepId: 'shop/work', count: 1 }],
    })
    expect(seen).toEqual([2, 3])
    expect(await store.checkPaused({ describe: () => undefined })).toMatchObject({
      stranded: [{ count: 2 }, { count: 1 }],
    })
  })

  it('that have not begun need their workflow alone', async () => {
    const app = await open()
    await database.space.transaction(transaction => app.api.start('shop/order', { transaction }))
    const store = database.store()
    expect(await store.checkPaused(app.wf)).toEqual({ checked: 1, stranded: [] })
    expect((await store.checkPaused({ describe: () => undefined })).stranded).toHaveLength(1)
  })

  it.each([
    ['a step', () => useWfFinished().set({ type: 'data', value: { done: 1 }, cookies: COOKIES })],
    ['finishWf', () => finishWf({ data: { done: 1 }, cookies: COOKIES })],
  ])('keep what they came to, and no cookie of their end: by %s', async (_by, end) => {
    const app = await open()
    app.deeds.last = end
    const { token, flowId } = await startOrder(app)
    const result = await app.runner.resume(token, ADA)
    expect(JSON.stringify(result)).toContain('a-session')
    const everything = [
      await database.runs.findMany({ filter: {} }),
      await database.events.findMany({ filter: {} }),
      await app.api.getSnapshot(flowId),
    ]
    expect(JSON.stringify(everything)).toContain('"done":1')
    expect(JSON.stringify(everything)).not.toContain('a-session')
  })
})

const COOKIES = { session: { value: 'a-session' } }
