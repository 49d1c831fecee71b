// A server with durable workflows, to be killed at work. Plain Node, on what is built and published.
// node durable-server.mjs <options as JSON>; tells its port.
//
// `shop/order` prepares, asks whoever has started it, and ships; `shop/job` asks nobody. Steps take a
// random time of at most `workMs`, and note what they do in the file `notes`.
import { setTimeout as sleep } from 'node:timers/promises'

const options = JSON.parse(process.argv[2])
const { engine, url, secret, notes: file, node, leaseMs, workMs = 10, skewMs = 0 } = options
const { hangsAtCounting = false, workers = 1, totals = 1 } = options

// All of this process takes this for the time, its timers aside.
const { now } = Date
Date.now = () => now() + skewMs

const {
  createWfRuns,
  DurableStateStrategy,
  finishWf,
  handleAsOutletRequest,
  MoostWf,
  outletHttp,
  Step,
  useWfTransaction,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} = await import('@atscript/moost-wf')
const { openMysql } = await import('@atscript/moost-wf/db/mysql')
const { openPostgres } = await import('@atscript/moost-wf/db/postgres')
const { openSqlite } = await import('@atscript/moost-wf/db/sqlite')
const { MoostHttp, Post, useBody } = await import('@atscript/moost-wf/http')
const { AsWfLedger, AsWfRunStore } = await import('@atscript/moost-wf/store')
const { Controller, createLogger, Moost } = await import('moost')
const { EventType, LedgerType, LinkType, RunType } = await import('./run-table-types.mjs')
const { StepNotes } = await import('./step-notes.mjs')

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const space = OPEN[engine](url, { maxConnections: 5 })
const notes = new StepNotes(file, node, now)
const store = new AsWfRunStore({
  space,
  runs: space.table(RunType),
  events: space.table(EventType),
  links: space.table(LinkType),
})
const ledger = new AsWfLedger({ table: space.table(LedgerType) })
const durable = new DurableStateStrategy({
  runs: notes.watching(store),
  secret,
  leaseMs,
  maxRecoveries: 1000,
  // What a step counts may meet a deadlock, or a database that is away.
  retry: { attempts: 1000, backoff: 'fixed', baseMs: 100 },
})
const state = { strategies: { durable }, default: 'durable' }
const wf = new MoostWf()
const logger = createLogger({ level: -1 })

/** A step that does some work, and notes it. */
async function work(step, given) {
  const end = notes.begin(step, { answer: given?.answer })
  await sleep(Math.random() * workMs)
  end()
}

/** Counts what was paid, in the transaction of the step: of each order, and in one of the totals. */
async function count(order) {
  const counter = ledger.within(await useWfTransaction(space))
  const total = `all ${Math.floor(Math.random() * totals)}`
  for (const key of [order, total]) await counter.increment('paid', key)
  if (!hangsAtCounting) return
  notes.begin('count')
  await new Promise(() => {})
}

class Shop {
  order() {}
  job() {}

  async prepare(ctx, input) {
    await work('prepare', input)
    ctx.order = input.order
  }

  async ask(ctx, input) {
    if (input?.answer === undefined) return outletHttp({ ask: 'answer' })
    await work('ask', input)
    ctx.answer = input.answer
  }

  async pay(ctx) {
    await work('pay')
    await count(ctx.order)
    ctx.paid = (ctx.paid ?? 0) + 1
  }

  async ship(ctx) {
    await work('ship')
    ctx.shipped = (ctx.shipped ?? 0) + 1
    finishWf({ data: { order: ctx.order, answer: ctx.answer } })
  }

  handle() {
    return handleAsOutletRequest({ state }, wf)
  }

  async start() {
    const { isForAnyone, ...input } = await useBody().parseBody()
    // Nobody holds what is started in a transaction: whoever looks first begins it.
    return isForAnyone
      ? space.transaction(transaction => runs.start('shop/job', { input, transaction }))
      : runs.start('shop/job', { input })
  }

  /** All of them become due with one commit. */
  async startAll() {
    const { orders } = await useBody().parseBody()
    const flowIds = await space.transaction(async transaction => {
      const begun = []
      for (const order of orders) {
        const { flowId } = await runs.start('shop/job', { input: { order }, transaction })
        begun.push(flowId)
      }
      return begun
    })
    return { flowIds }
  }
}

// Plain Node knows no decorators.
const decorate = (method, ...decorators) => {
  const property = Object.getOwnPropertyDescriptor(Shop.prototype, method)
  for (const decorator of decorators) decorator(Shop.prototype, method, property)
}
for (const step of ['prepare', 'ask', 'pay', 'ship']) {
  WorkflowParam('context')(Shop.prototype, step, 0)
  WorkflowParam('input')(Shop.prototype, step, 1)
  decorate(step, Step(step))
}
decorate('order', WorkflowSchema(['prepare', 'ask', 'pay', 'ship']), Workflow('order'))
decorate('job', WorkflowSchema(['prepare', 'pay', 'ship']), Workflow('job'))
decorate('handle', Post('wf'))
decorate('start', Post('start'))
decorate('startAll', Post('start-all'))
Controller('shop')(Shop)

const app = new Moost({ logger })
const http = app.adapter(new MoostHttp())
app.adapter(wf)
await app.registerControllers(Shop).init()
const names = Array.from({ length: workers }, (_, index) => `${node}, worker ${index + 1}`)
const [runs] = names.map(workerName =>
  createWfRuns({ state, worker: options.worker, workerName, logger }, wf),
)
await http.listen(0, '127.0.0.1')
process.send(http.getHttpApp().getServer().address().port)
process.once('disconnect', () => process.exit())
