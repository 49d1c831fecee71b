import {
  createWfRuns,
  Step,
  StepRetry,
  useWfTransaction,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { DbSpace, DbTransaction } from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import {
  AsWfRunStore,
  type Clock,
  type WfRunStore,
  WfRunStoreMemory,
} from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { type CuttableProxy, cuttableProxy } from '../support/cuttable-proxy'
import { testEngines } from '../support/databases'
import { LEASE_MS, openDurableApp, startOrder } from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import { RunDatabase } from '../support/run-stores'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const ADA = { input: { name: 'Ada' } }
const OVER = { code: 'WF_CONFIG', message: expect.stringContaining('the step has ended') }

const rowOf = (id: string) => ({ id, status: 'new', version: 1 })
const insert = (transaction: DbTransaction, id: string) =>
  transaction.table(OrderRow).insertOne(rowOf(id))
const use = async () => (await useWfTransaction()) as DbTransaction

/** Something that comes when it is let. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe.each(testEngines())(
  'the transaction of a step, used as it should not be, on $name',
  engine => {
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

    const open = async () => {
      const app = await openDurableApp({ runs: database.store(), clock: database.clock })
      return { ...app, ...(await startOrder(app)) }
    }
    const written = async () => {
      const rows = await database.space.table(OrderRow).findMany({ controls: { $sort: { id: 1 } } })
      return rows.map(({ id }) => id)
    }

    it('is not given to what an earlier step has begun, while a later one has it', async () => {
      const app = await open()
      const { open: letGo, opened } = gate()
      let late: Promise<unknown> | undefined
      app.deeds.ask = () => {
        late = opened.then(use).catch((error: unknown) => error)
      }
      app.deeds.work = async () => {
        await insert(await use(), 'work')
        letGo()
        expect(await late).toMatchObject(OVER)
      }
      expect(await app.runner.resume(app.token, ADA)).toMatchObject({ kind: 'finished' })
      expect(await written()).toEqual(['work'])
    })

    it('is not opened by it either, where the later step needs none', async () => {
      const app = await open()
      const { open: letGo, opened } = gate()
      let late: Promise<unknown> | undefined
      app.deeds.ask = () => {
        late = opened.then(use).catch((error: unknown) => error)
      }
      app.deeds.work = async () => {
        letGo()
        expect(await late).toMatchObject(OVER)
      }
      expect(await app.runner.resume(app.token, ADA)).toMatchObject({ kind: 'finished' })
    })

    it('is not given to a step that is over while it is committed, nor behind its run', async () => {
      const app = await open()
      const lates: Promise<unknown>[] = []
      const { open: letGo, opened } = gate()
      app.deeds.last = async () => {
        await insert(await use(), 'last')
        lates.push(opened.then(use).catch((error: unknown) => error))
        // In the turns between its end and the answer.
        const inTurns = async () => {
          for (let turn = 0; turn < 5; turn++) {
            await new Promise(setImmediate)
            lates.push(use().catch((error: unknown) => error))
          }
        }
        lates.push(new Promise(resolve => queueMicrotask(() => resolve(inTurns()))))
      }
      await app.runner.resume(app.token, ADA)
      letGo()
      const told = (await Promise.all(lates)).filter(one => one !== undefined)
      expect(told.length).toBeGreaterThan(0)
      for (const one of told) expect(one).toMatchObject(OVER)
      expect(await written()).toEqual(['last'])
      expect(await app.api.get(app.flowId)).toMatchObject({ status: 'completed' })
    })

    it('is one for calls in parallel, and for whatever a step waits for', async () => {
      const app = await open()
      app.deeds.work = async () => {
        const parts = ['a', 'b', 'c'].map(async id => {
          await new Promise(setImmediate)
          const transaction = await use()
          await insert(transaction, id)
          return transaction
        })
        expect(new Set(await Promise.all([use(), use(), ...parts])).size).toBe(1)
      }
      await app.runner.resume(app.token, ADA)
      expect(await written()).toEqual(['a', 'b', 'c'])
    })

    it('keeps nothing where one of the parallel calls fails', async () => {
      const app = await open()
      app.deeds.work = async () => {
        await Promise.all(['a', 'b', 'a'].map(async id => insert(await use(), id)))
      }
      await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      expect(await written()).toEqual([])
      expect(await app.api.get(app.flowId)).toMatchObject({ status: 'error' })
    })

    it('is a part of itself where it is nested', async () => {
      const app = await open()
      app.deeds.work = async () => {
        const orders = (await use()).table(OrderRow)
        await orders.transaction(async inner => {
          await inner.insertOne(rowOf('inner'))
          await insert(await use(), 'outer')
        })
        throw new Error('no')
      }
      await expect(app.runner.resume(app.token, ADA)).rejects.toThrow('no')
      expect(await written()).toEqual([])
    })

    it('is another one for a run that the step starts, whose steps are not those of this one', async () => {
      const app = await open()
      const { token } = await startOrder(app)
      const seen: DbTransaction[] = []
      app.deeds.work = async () => {
        app.deeds.work = async () => {
          seen.push(await use())
          await insert(seen[0]!, 'inner')
        }
        expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
        // Its run is over, and this step is still the one that runs here.
        seen.push(await use())
        throw new Error('no')
      }
      await expect(app.runner.resume(app.token, ADA)).rejects.toThrow('no')
      expect(seen[0]).not.toBe(seen[1])
      expect(await written()).toEqual(['inner'])
    })

    it('that is begun and not waited for is committed or refused, and gives its connection back', async () => {
      const app = await open()
      const lates: Promise<unknown>[] = []
      app.deeds.work = () => {
        lates.push(use())
      }
      app.deeds.last = () => {
        const late = use().then(transaction => insert(transaction, 'late'))
        lates.push(
          late.then(() => 'kept').catch((error: unknown) => (error as { code: string }).code),
        )
      }
      expect(await app.runner.resume(app.token, ADA)).toMatchObject({ kind: 'finished' })
      const [, became] = await Promise.all(lates)
      expect(['kept', 'WF_DB_FAILED']).toContain(became)
      expect(await written()).toEqual(became === 'kept' ? ['late'] : [])
      expect(await app.api.get(app.flowId)).toMatchObject({ status: 'completed' })
    })

    it('that a statement has broken keeps nothing, also where the step goes on without a word', async () => {
      const app = await open()
      await database.space.table(OrderRow).insertOne(rowOf('taken'))
      app.deeds.work = async ctx => {
        const transaction = await use()
        await insert(transaction, 'before')
        await insert(transaction, 'taken').catch(() => {})
        ctx.work = 1
      }
      await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      expect(await written()).toEqual(['taken'])
      const run = await app.api.get(app.flowId)
      expect(run).toMatchObject({ status: 'error', context: { name: 'Ada' } })
      app.deeds.work = async () => void (await insert(await use(), 'after'))
      await app.runner.resume(app.token, ADA)
      expect(await written()).toEqual(['after', 'taken'])
    })

    it('cannot be ended by hand', async () => {
      const app = await open()
      app.deeds.work = async () => {
        const transaction = await use()
        expect(Object.keys(transaction).toSorted()).toEqual(['commit', 'table'])
        // A commit of rows is a part of it, and ends nothing.
        await transaction.commit({ write: { insert: OrderRow, rows: [rowOf('by hand')] } })
        await insert(transaction, 'behind')
        throw new Error('no')
      }
      await expect(app.runner.resume(app.token, ADA)).rejects.toThrow('no')
      expect(await written()).toEqual([])
    })

    it('is rolled back when its time is over, and the late part of its step gets none', async () => {
      const { open: letGo, opened } = gate()
      const lates: Promise<unknown>[] = []
      const error = (thrown: unknown) => thrown
      let isSlow = true

      @Controller('pay')
      class Pay {
        @Workflow('in')
        @WorkflowSchema(['slow'])
        in() {}

        @Step('slow')
        @StepRetry({ attempts: 2, baseMs: 1, jitter: 0, timeoutMs: 50 })
        async slow() {
          const transaction = await use()
          await insert(transaction, isSlow ? 'slow' : 'again')
          if (!isSlow) return
          isSlow = false
          lates.push(
            opened.then(() => insert(transaction, 'late')).catch(error),
            opened.then(use).catch(error),
          )
          await opened
        }
      }
      const { app, wf } = buildApp([Pay])
      await app.init()
      const { runConfig } = await openDurableApp({ runs: database.store(), clock: database.clock })
      const api = createWfRuns({ ...runConfig, logger: SILENT, worker: false }, wf)
      const { flowId } = await api.start('pay/in')
      await vi.waitFor(async () => expect((await api.get(flowId))?.status).toBe('error'))
      expect(await written()).toEqual([])
      letGo()
      expect(await Promise.all(lates)).toMatchObject([{ code: 'WF_DB_FAILED' }, OVER])
      database.clock.advance(1)
      await api.runDue()
      expect((await api.get(flowId))?.status).toBe('completed')
      expect(await written()).toEqual(['again'])
    })
  },
)

const OPEN: Readonly<Record<string, (url: string, options: { clock: Clock }) => DbSpace>> = {
  PostgreSQL: openPostgres,
  MariaDB: openMysql,
}
const servers = testEngines().filter(({ name }) => OPEN[name])

describe.each(servers)('a step whose COMMIT meets trouble, on $name', engine => {
  let database: RunDatabase
  let proxy: CuttableProxy
  let space: DbSpace

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
    database.space.table(OrderRow)
    await database.space.sync()
  })
  beforeEach(async () => {
    await database.clear()
    await database.space.table(OrderRow).deleteMany({})
    const url = new URL(database.database.url)
    proxy = await cuttableProxy(new URL(url))
    url.port = String(proxy.port)
    space = OPEN[engine.name]!(url.href, { clock: database.clock })
  })
  afterEach(async () => {
    await space.close().catch(() => {})
    await proxy.close()
  })
  afterAll(() => database.drop())

  /** A run whose second step writes a row; something happens right before its first COMMIT. */
  const open = async (beforeCommit: () => unknown) => {
    const { clock } = database
    const tables = [WfRunRow, WfEventRow, WfLinkRow].map(type => space.table(type))
    const [runs, events, links] = tables
    const store = new AsWfRunStore({ space, runs: runs!, events: events!, links: links!, clock })
    let isFirst = true
    const troubled = new Proxy<WfRunStore>(store, {
      get(target, key) {
        if (key === 'openTransaction') {
          return async () => {
            const opened = await store.openTransaction()
            const commit: typeof opened.commit = async held => {
              if (isFirst) await beforeCommit()
              isFirst = false
              return opened.commit(held)
            }
            return { ...opened, commit }
          }
        }
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const app = await openDurableApp({ runs: troubled, clock })
    let times = 0
    app.deeds.work = async () => {
      times++
      await insert(await use(), 'work')
    }
    return { ...app, ...(await startOrder(app)), clock, timesRun: () => times }
  }
  const written = () => database.space.table(OrderRow).count({ filter: {} })

  it('goes on where only the answer to it was lost, for it is found', async () => {
    let lost: Promise<void> | undefined
    const app = await open(() => {
      lost = proxy.cutBeforeNextAnswer()
    })
    expect(await app.runner.resume(app.token, ADA)).toMatchObject({ kind: 'finished' })
    await lost
    expect([await written(), app.timesRun()]).toEqual([1, 1])
  })

  it('runs again where the backend was gone before it, and has written once', async () => {
    const app = await open(async () => {
      await proxy.cut()
      await proxy.mend()
    })
    await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({
      code: 'WF_DB_UNAVAILABLE',
    })
    expect(await written()).toBe(0)
    // Nobody knows, so nobody goes on before its lease is over.
    expect(await app.takeUp(app.flowId)).toMatchObject({ kind: 'refused' })
    app.clock.advance(LEASE_MS)
    expect(await app.takeUp(app.flowId)).toMatchObject({ kind: 'settled' })
    expect([await written(), app.timesRun()]).toEqual([1, 2])
  })

  it('does not run again where all was kept, and nobody could look', async () => {
    const app = await open(() => {
      void proxy.cutBeforeNextAnswer().then(() => proxy.cut())
    })
    await expect(app.runner.resume(app.token, ADA)).rejects.toMatchObject({
      code: 'WF_DB_UNAVAILABLE',
    })
    await proxy.mend()
    expect(await written()).toBe(1)
    app.clock.advance(LEASE_MS)
    expect(await app.takeUp(app.flowId)).toMatchObject({ kind: 'settled' })
    expect([await written(), app.timesRun()]).toEqual([1, 1])
    expect(await app.api.get(app.flowId)).toMatchObject({ status: 'completed' })
  })
})

it('a step that goes on without a transaction that there is none of, is completed', async () => {
  const clock = new FakeClock()
  const app = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
  app.deeds.work = async () => {
    await expect(useWfTransaction()).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: expect.stringMatching(/^useWfTransaction\(\) needs .+\.$/u),
    })
  }
  const { token, flowId } = await startOrder(app)
  expect(await app.runner.resume(token, ADA)).toMatchObject({ kind: 'finished' })
  expect(await app.api.get(flowId)).toMatchObject({ status: 'completed' })
})
