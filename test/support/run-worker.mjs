// A process of its own with durable runs, to be killed at work. Plain Node, on what is built and published.
// node run-worker.mjs <engine> <url> <secret> <log> [outbox]; does what it is told by messages, and stops where it
// is told to: it says so, and never goes on. Steps that are begun are written to the log.
import { appendFileSync } from 'node:fs'
import {
  createWfRunner,
  createWfRuns,
  finishWf,
  MoostWf,
  outletEmail,
  outletHttp,
  Step,
  useWfStep,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfRunStore } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { Controller, createLogger, Moost } from 'moost'
import { EventType, LinkType, OutboxType, RunType } from './run-table-types.mjs'

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const [engine, url, secret, log, outbox] = process.argv.slice(2)
const space = OPEN[engine](url, { maxConnections: 5 })

let point
/** Stops here for good, if this is where it is to be killed. */
const mayStop = async where => {
  if (where !== point) return
  process.send({ stopped: where })
  await new Promise(() => {})
}

const completed = events => events.find(({ type }) => type === 'step_completed')?.stepId

class KillableRuns extends AsWfRunStore {
  async claim(...given) {
    await mayStop('before the claim')
    const held = await super.claim(...given)
    await mayStop('behind the claim')
    return held
  }

  async commit(held, change) {
    const isOfWork = completed(change.events) === 'work'
    if (isOfWork) await mayStop('between step and commit')
    const next = await super.commit(held, change)
    if (isOfWork) await mayStop('behind the commit')
    if (change.messages) await mayStop('behind the pause')
    return next
  }
}

const tables = {
  runs: space.table(RunType),
  events: space.table(EventType),
  links: space.table(LinkType),
  outbox: outbox && space.table(OutboxType),
}
const runs = new KillableRuns({ space, ...tables })
const durable = new DurableStateStrategy({ runs, secret, leaseMs: 600_000 })

const note = what => {
  const [flowId] = useWfStep().idempotencyKey.split(':')
  appendFileSync(log, `${flowId} ${what}\n`)
}

class Order {
  order() {}

  async ask(context, input) {
    if (!input) return outletHttp({ ask: 'name' })
    note('ask')
    await mayStop('in the step that was answered')
    context.name = input.name
  }

  async work(context) {
    note('work')
    context.work = (context.work ?? 0) + 1
    await mayStop('in the step')
  }

  mail(context, input) {
    if (!input) {
      note('send')
      return outletEmail('boss@example.com', 'decide')
    }
    note('mail')
    context.decision = input.decision
  }

  last(context) {
    note('last')
    finishWf({ data: context })
  }
}

// Plain Node knows no decorators.
const decorate = (method, ...decorators) => {
  const property = Object.getOwnPropertyDescriptor(Order.prototype, method)
  for (const decorator of decorators) decorator(Order.prototype, method, property)
}
decorate('order', WorkflowSchema(['ask', 'work', 'mail', 'last']), Workflow('order'))
for (const step of ['ask', 'work', 'mail', 'last']) {
  WorkflowParam('context')(Order.prototype, step, 0)
  WorkflowParam('input')(Order.prototype, step, 1)
  decorate(step, Step(step))
}
Controller()(Order)

const mails = {
  name: 'email',
  tokenDelivery: 'out-of-band',
  deliver: async (_request, token, { messageId } = {}) => {
    await mayStop('before the send')
    process.send({ mail: token, messageId })
    await mayStop('in the delivery')
  },
}

const logger = createLogger({ level: 0 })
const app = new Moost({ logger })
const wf = app.adapter(new MoostWf())
await app.registerControllers(Order).init()
const config = { state: { strategies: { durable }, default: 'durable' }, outlets: [mails] }
const runner = createWfRunner(config, wf)
const api = createWfRuns({ ...config, logger, worker: false }, wf)

const isTaken = claim => !('refusal' in claim)

const WORK = {
  start: async () => runner.start('order'),
  resume: async ({ token, input }) => runner.resume(token, { input }),
  /** What has become of each of many answers at once. */
  resumeAtOnce: async ({ tokens, input }) => {
    const results = await Promise.all(tokens.map(token => runner.resume(token, { input })))
    return results.map(({ kind }) => kind)
  },
  /** Many starts at once with one key; which run each of them has come to, or why to none. */
  startKeyed: ({ runKey, onConflict, many }) => {
    const how = { runKey, onConflict, input: { name: 'Ada' } }
    const start = () => api.start('order', how).catch(error => ({ code: error.code }))
    return Promise.all(Array.from({ length: many }, start))
  },
  recover: () => api.runDue(),
  /** How many of the racers got each link; whoever did ends its run. */
  race: async ({ handles, racers }) => {
    const winners = []
    for (const handle of handles) {
      const claims = await Promise.all(
        Array.from({ length: racers }, () => durable.claim(handle, { admit: () => null })),
      )
      const taken = claims.filter(isTaken)
      for (const claim of taken) await claim.finish({})
      winners.push(taken.length)
    }
    return winners
  },
}

process.on('message', async ({ id, work, stopAt, ...task }) => {
  point = stopAt
  try {
    process.send({ id, done: (await WORK[work](task)) ?? null })
  } catch (error) {
    process.send({ id, failed: String(error?.stack ?? error) })
  }
})
process.send({ ready: true })
