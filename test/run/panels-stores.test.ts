import { useWfTransaction } from '@atscript/moost-wf'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { testEngines } from '../support/databases'
import { LEASE_MS } from '../support/durable-app'
import { ADA, askAll, BOB, CLEO, DAN, type Expense, openPanelApp } from '../support/panel-app'
import { RunDatabase } from '../support/run-stores'

const HOUR_MS = 60 * 60_000
const MANY = 50

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const DONE = { kind: 'finished' }

describe.each(testEngines())('several people at one pause, on $name', engine => {
  let database: RunDatabase
  beforeAll(async () => {
    database = await RunDatabase.create(engine)
    database.space.table(OrderRow)
    await database.space.sync()
  })
  beforeEach(async () => {
    await database.clear()
    await database.space.table(OrderRow).deleteMany({})
  })
  afterAll(() => database.drop())

  const open = (options = {}) => {
    const runs = database.store({ outbox: database.outbox })
    return openPanelApp({ runs, clock: database.clock }, options)
  }
  const orders = () => database.space.table(OrderRow).count({})

  it('are as many as there can be, reminded at once, and answer at the same moment', async () => {
    const app = await open()
    const people = Array.from({ length: MANY }, (_, at) => ({
      to: `person-${at}@example.com`,
      context: { why: 'x'.repeat(500) },
    }))
    const deadline = { afterMs: 3 * HOUR_MS, remindEveryMs: HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start(people, { quorum: 'all', deadline })
    while (app.mails.length < MANY) await app.api.runDue()
    await app.wait(HOUR_MS)
    while (app.mails.length < 2 * MANY) await app.api.runDue()
    expect(new Set(app.mails.map(({ token }) => token)).size).toBe(2 * MANY)
    const [first, ...others] = people
    const kinds = []
    for (let at = 0; at < others.length; at += 7) {
      const few = others.slice(at, at + 7).map(({ to }) => app.vote(to, 'approve'))
      kinds.push(...(await Promise.all(few)).map(({ kind }) => kind))
    }
    expect(new Set(kinds)).toEqual(new Set(['noted']))
    expect(await app.vote(first!.to, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toHaveLength(MANY)
  })

  it('let one of them decide, and one answer of each count', async () => {
    const app = await open()
    const { flowId } = await app.start([ADA, BOB, CLEO, DAN])
    const votes = [ADA, BOB, CLEO, DAN, ADA, BOB].map(to => app.vote(to, 'approve'))
    const kinds = (await Promise.all(votes)).map(({ kind }) => kind).toSorted()
    expect(kinds).toEqual(['finished', 'noted', 'refused', 'refused', 'refused', 'refused'])
    expect((await app.context(flowId)).history).toHaveLength(2)
    expect(app.ran).toEqual(['decide', 'decide', 'tell'])
  })

  it('are asked by a run that is started with a transaction, once that is committed', async () => {
    const app = await open()
    const context: Expense = { people: [{ to: ADA }, { to: BOB }], how: {}, amount: 7, history: [] }
    const start = (transaction: object) =>
      app.api.start('expense/approve', { context, transaction, actor: 'the applicant' })
    const undone = database.space.transaction(async transaction => {
      await start(transaction)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await app.api.runDue()
    expect(app.mails).toEqual([])
    const { flowId } = await database.space.transaction(start)
    await app.api.runDue()
    await app.api.runDue()
    expect(app.mails.map(({ target }) => target).toSorted()).toEqual([ADA, BOB])
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).outcome).toBe('reached')
  })

  it('answer within a transaction, and not if that is undone', async () => {
    const app = await open()
    const { flowId } = await app.start([ADA, BOB])
    const answer = (to: string) => (transaction: object) =>
      app.api.answer(app.latest(to), { action: 'approve', input: {}, transaction })
    const undone = database.space.transaction(async transaction => {
      await answer(ADA)(transaction)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await app.api.runDue()
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 0 })
    await database.space.transaction(answer(ADA))
    // It is not gone on with yet: whoever answers in another transaction has to come again, by a link it is done.
    const taken = database.space.transaction(answer(BOB))
    await expect(taken).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toHaveLength(2)
    const told = (await app.api.history(flowId)).filter(({ type }) => type === 'answered')
    expect(told.map(({ detail }) => detail.seat)).toEqual([ADA, BOB])
  })

  it('decide at a step that writes in the transaction of its commit', async () => {
    const app = await open()
    let fails = true
    app.deeds.decide = async (ctx, answers, ...given) => {
      if (!answers.isDecided) return askAll(ctx, answers, ...given)
      const transaction = await useWfTransaction()
      await transaction.table(OrderRow).insertOne({ id: 'order', status: 'new', version: 1 })
      if (fails) throw new Error('A test.')
      ctx.outcome = answers.outcome
    }
    const { flowId } = await app.start([ADA, BOB, CLEO])
    await app.vote(ADA, 'approve')
    await expect(app.vote(BOB, 'approve')).rejects.toThrow('A test.')
    expect([await orders(), (await app.api.get(flowId))?.asked?.agreed]).toEqual([0, 1])
    fails = false
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
    expect(await orders()).toBe(1)
    expect(await app.vote(BOB, 'approve')).toMatchObject(USED)
  })

  it('are asked on by a step that writes in the transaction of its commit', async () => {
    const app = await open()
    app.deeds.decide = async (ctx, answers, ...given) => {
      if (answers.current && !answers.isDecided) {
        const transaction = await useWfTransaction()
        const id = answers.current.id
        await transaction.table(OrderRow).insertOne({ id, status: 'new', version: 1 })
      }
      return askAll(ctx, answers, ...given)
    }
    await app.start([ADA, BOB, CLEO], { runsEach: true, quorum: 'all' })
    expect(await app.vote(ADA, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect(await orders()).toBe(2)
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
  })

  it('are settled by another process, if theirs dies', async () => {
    const app = await open()
    const { flowId } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve')
    const reached = new Promise<void>(resolve => {
      app.deeds.decide = () => {
        resolve()
        return new Promise(() => {})
      }
    })
    void app.vote(BOB, 'approve')
    await reached
    const other = await open({ config: { ledger: app.ledger } })
    await other.wait(LEASE_MS)
    expect((await other.context(flowId)).history).toEqual([`${ADA} approve`, `${BOB} approve`])
  })
})
