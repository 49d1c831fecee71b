import {
  abortWf,
  AsWfLedger,
  createEmailOutlet,
  finishWf,
  outletEmail,
  outletHttp,
  StepRetriableError,
  useWfTransaction,
} from '@atscript/moost-wf'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { testEngines } from '../support/databases'
import {
  type DurableAppOptions,
  LEASE_MS,
  openDurableApp,
  paused,
  startOrder,
} from '../support/durable-app'
import { RunDatabase } from '../support/run-stores'

const ADA = { input: { name: 'Ada' } }

/** Writes a row in the transaction of the step that runs. */
async function write(id: string) {
  const transaction = await useWfTransaction()
  await transaction.table(OrderRow).insertOne({ id, status: 'new', version: 1 })
  return transaction
}

describe.each(testEngines())('the transaction of a step, on $name', engine => {
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

  const open = (options?: DurableAppOptions) =>
    openDurableApp({ runs: database.store(), clock: database.clock }, options)
  const written = async () => {
    const rows = await database.space.table(OrderRow).findMany({ controls: { $sort: { id: 1 } } })
    return rows.map(({ id }) => id)
  }

  describe('is committed with its step', () => {
    it('when it is completed, and before the next one begins', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      let seen: unknown
      app.deeds.work = async ctx => {
        ctx.work = 1
        expect(await write('work')).toBe(await useWfTransaction(database.space))
      }
      app.deeds.last = async () => {
        seen = [await written(), (await app.api.get(flowId))?.context]
        await write('last')
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      expect(seen).toEqual([['work'], { name: 'Ada', work: 1 }])
      expect(await written()).toEqual(['last', 'work'])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('when it is the first of a run that nothing was written of', async () => {
      const app = await open()
      app.deeds.ask = async () => {
        await write('first')
        return outletHttp({ ask: 'name' })
      }
      const { flowId } = await startOrder(app)
      expect(await written()).toEqual(['first'])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'paused' })
    })

    it('when it pauses, also by an error that asks again', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      app.deeds.ask = async (_ctx, input) => {
        await write(`${input?.name}`)
        if (input?.name === 'Eve') throw new StepRetriableError(new Error('again'), [], { ask: 1 })
        return outletHttp({ ask: 'more' })
      }
      const again = paused(await app.runner.resume(token, { input: { name: 'Eve' } }))
      expect(await written()).toEqual(['Eve'])
      paused(await app.runner.resume(again.token, ADA))
      expect(await written()).toEqual(['Ada', 'Eve'])
    })

    it('when it sends a link, and the link works', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      app.deeds.work = async (_ctx, input) => {
        if (input) return
        await write('asked')
        return outletEmail('boss@example.com', 'decide')
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'sent' })
      expect(await written()).toEqual(['asked'])
      const answer = { input: { decision: 'yes' } }
      expect(await app.runner.resume(app.mails[0]!.token, answer)).toMatchObject({
        kind: 'finished',
      })
    })

    it('when it ends the workflow, and what is done at the end is told of it', async () => {
      const told: unknown[] = []
      const onFinished = async () => {
        told.push(await written())
        await expect(useWfTransaction()).rejects.toMatchObject({ code: 'WF_CONFIG' })
      }
      const app = await open({ config: { onFinished } })
      const { token } = await startOrder(app)
      app.deeds.last = async () => {
        await write('last')
        finishWf({ data: 'done' })
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
      expect(told).toEqual([['last']])
    })

    it('where runs are saved at pauses alone, as well', async () => {
      const app = await open({ strategy: { checkpoint: 'pause' } })
      const { token, flowId } = await startOrder(app)
      app.deeds.work = async ctx => {
        ctx.work = 1
        await write('work')
      }
      app.deeds.last = async () => {
        expect(await written()).toEqual(['work'])
        expect(await app.api.get(flowId)).toMatchObject({ context: { name: 'Ada', work: 1 } })
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('and what a ledger has noted in it', async () => {
      const ledger = new AsWfLedger({
        table: database.ledger,
        clock: database.clock,
      })
      const app = await open()
      const { token } = await startOrder(app)
      app.deeds.work = async (_ctx, input) => {
        expect(await ledger.within(await useWfTransaction()).increment('attempt', 'ada')).toBe(1)
        if (!input) throw new Error('no')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('no')
      expect(await ledger.get('attempt', 'ada')).toBeNull()
      app.deeds.work = async () => {
        await ledger.within(await useWfTransaction()).increment('attempt', 'ada')
      }
      await app.runner.resume(token, ADA)
      expect(await ledger.get('attempt', 'ada')).toMatchObject({ count: 1 })
      expect(() => ledger.within({})).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
    })
  })

  describe('is rolled back', () => {
    it('when its step throws, which then can run again', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      const { work } = app.deeds
      app.deeds.work = async ctx => {
        ctx.work = 1
        await write('work')
        throw new Error('no')
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow('no')
      expect(await written()).toEqual([])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'error', context: { name: 'Ada' } })
      app.deeds.work = async (...given) => {
        await write('work')
        return work(...given)
      }
      await app.runner.resume(token, ADA)
      expect(await written()).toEqual(['work'])
    })

    it('when the first step of a run throws, of which nothing is left', async () => {
      const app = await open()
      app.deeds.ask = async () => {
        await write('first')
        throw new Error('no')
      }
      await expect(app.runner.start('shop/order')).rejects.toThrow('no')
      expect([await written(), (await app.api.list()).runs]).toEqual([[], []])
    })

    it('when its step ends the run by abortWf', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = async () => {
        await write('work')
        abortWf('fraud')
      }
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished', aborted: true })
      expect(await written()).toEqual([])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('when its pause cannot be delivered: the run stands where it stood', async () => {
      const outlets = [createEmailOutlet(() => Promise.reject(new Error('no mail')))]
      const app = await open({ config: { outlets } })
      const { token, flowId } = await startOrder(app)
      const before = await app.api.get(flowId)
      app.deeds.ask = async (_ctx, input) => {
        await write('asked')
        return input && outletEmail('boss@example.com', 'decide')
      }
      const result = await app.runner.resume(token, ADA)
      expect(result).toMatchObject({ kind: 'refused', code: 'WF_OUTLET_FAILED' })
      expect(await written()).toEqual([])
      expect(await app.api.get(flowId)).toMatchObject({
        status: 'paused',
        context: before?.context,
      })
      expect(await app.api.links(flowId)).toHaveLength(1)
      expect((await app.api.history(flowId)).at(-1)).toMatchObject({
        type: 'step_failed',
        detail: { code: 'WF_OUTLET_FAILED' },
      })
      app.deeds.ask = (ctx, input) => void (ctx.name = `${input?.name}`)
      expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('when its step takes too long, and its connection is given back', async () => {
      const app = await open({ strategy: { leaseMs: 60, stepTimeoutMs: 1000 } })
      const { token } = await startOrder(app)
      let fails: Promise<unknown> | undefined
      app.deeds.work = async () => {
        const transaction = await write('work')
        app.deeds.work = () => undefined
        database.clock.advance(1000)
        await vi.waitFor(async () => {
          fails = expect(transaction.table(OrderRow).count({ filter: {} })).rejects.toMatchObject({
            code: 'WF_DB_FAILED',
          })
          await fails
        })
        // Others can use the database, while the step still runs.
        expect(await written()).toEqual([])
        await expect(useWfTransaction()).rejects.toMatchObject({ code: 'WF_TIMEOUT' })
      }
      await app.runner.resume(token, ADA).catch(() => {})
      await fails
      expect(await written()).toEqual([])
    })

    it('when the first step of a run takes too long that is written nowhere yet', async () => {
      const app = await open({ strategy: { leaseMs: 60, stepTimeoutMs: 1000 } })
      app.deeds.ask = async () => {
        const transaction = await write('first')
        database.clock.advance(1000)
        await vi.waitFor(() =>
          expect(transaction.table(OrderRow).count({ filter: {} })).rejects.toMatchObject({
            code: 'WF_DB_FAILED',
          }),
        )
      }
      await app.runner.start('shop/order').catch(() => {})
      expect([await written(), (await app.api.list()).runs]).toEqual([[], []])
    })

    it('when another has the run by the time at which it would be committed', async () => {
      const slow = await open()
      const { token, flowId } = await startOrder(slow)
      const other = await open()
      slow.deeds.work = async () => {
        // Nobody hears of this process for longer than its lease.
        database.clock.advance(LEASE_MS)
        await other.takeUp(flowId)
        await write('slow')
      }
      other.deeds.work = async () => void (await write('other'))
      await expect(slow.runner.resume(token, ADA)).resolves.toMatchObject({ code: 'WF_CONFLICT' })
      expect(await written()).toEqual(['other'])
      expect(await slow.api.get(flowId)).toMatchObject({ status: 'completed' })
    })

    it('when the run was cancelled meanwhile', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = async () => {
        await app.api.cancel(flowId)
        await write('work')
      }
      await expect(app.runner.resume(token, ADA)).resolves.toMatchObject({ code: 'WF_REVOKED' })
      expect(await written()).toEqual([])
    })

    it('when what the step leaves behind cannot be written', async () => {
      const app = await open()
      const { token, flowId } = await startOrder(app)
      app.deeds.work = async ctx => {
        await write('work')
        ctx.work = 10n as never
      }
      await expect(app.runner.resume(token, ADA)).rejects.toThrow()
      expect(await written()).toEqual([])
      expect(await app.api.get(flowId)).toMatchObject({ status: 'error' })
    })
  })

  it('fails for whoever uses it when its step is over', async () => {
    const app = await open()
    const { token } = await startOrder(app)
    let kept: Awaited<ReturnType<typeof useWfTransaction>> | undefined
    app.deeds.work = async () => {
      kept = await write('work')
    }
    app.deeds.last = async () => {
      const late = kept!.table(OrderRow).insertOne({ id: 'late', status: 'new', version: 1 })
      await expect(late).rejects.toMatchObject({ code: 'WF_DB_FAILED' })
      expect(await useWfTransaction()).not.toBe(kept)
    }
    await app.runner.resume(token, ADA)
    expect(await written()).toEqual(['work'])
  })

  it('is refused for another database, and nothing is kept of its step', async () => {
    const app = await open()
    const { token } = await startOrder(app)
    const other = openSqlite(':memory:')
    app.deeds.work = async () => {
      await write('work')
      await useWfTransaction(other)
    }
    await expect(app.runner.resume(token, ADA)).rejects.toMatchObject({ code: 'WF_CONFIG' })
    expect(await written()).toEqual([])
    await other.close()
  })

  it('counts exactly, however many runs use it at once', async () => {
    const app = await open()
    const counter = { id: 'counter', status: 'new', version: 0 }
    await database.space.table(OrderRow).insertOne(counter)
    app.deeds.ask = () => undefined
    app.deeds.work = async () => {
      const orders = (await useWfTransaction()).table(OrderRow)
      // Locks the row first: whoever reads it next waits.
      await orders.updateMany({ id: 'counter' }, { status: 'counting' })
      const { version } = (await orders.findOne({ filter: { id: 'counter' } }))!
      await orders.updateMany({ id: 'counter' }, { version: version + 1 })
      if (version % 5 === 0 && Math.random() < 0.5) throw new Error('no')
    }
    // Fewer than there are connections: each run takes one for its heartbeats and commits as well.
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => app.runner.start('shop/order')),
    )
    const done = results.filter(({ status }) => status === 'fulfilled').length
    expect(
      await database.space.table(OrderRow).findOne({ filter: { id: 'counter' } }),
    ).toMatchObject({ version: done })
  })
})

describe('a step has no transaction', () => {
  it('where its runs are in no database', async () => {
    const clock = new FakeClock()
    const app = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
    const { token } = await startOrder(app)
    app.deeds.work = async () => void (await useWfTransaction())
    await expect(app.runner.resume(token, ADA)).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })

  it('on another strategy', async () => {
    const clock = new FakeClock()
    const app = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
    app.deeds.ask = async () => void (await useWfTransaction())
    const started = app.runner.start('shop/order', { strategy: 'encapsulated' })
    await expect(started).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: expect.stringContaining('"encapsulated"'),
    })
  })
})
