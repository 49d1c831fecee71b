// A process of its own whose workflow `approve` asks several people at once, for others to race with, and to be
// killed at work. Plain Node, on what is built and published.
// node panel-worker.mjs <options as JSON>; does what it is told by messages, and stops where it is told to: it says
// so, and never goes on. Steps that are begun are written to the log.
import { appendFileSync } from 'node:fs'
import {
  AsWfLedger,
  createWfRunner,
  createWfRuns,
  handOn,
  MoostWf,
  outletEach,
  Step,
  useWfAnswers,
  useWfStep,
  WfAction,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfRunStore } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { deserializeAnnotatedType } from '@atscript/typescript/utils'
import { Controller, createLogger, Moost } from 'moost'
import { EventType, LedgerType, LinkType, OutboxType, RunType } from './run-table-types.mjs'

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const { engine, url, secret, log, leaseMs, worker, form } = JSON.parse(process.argv[2])
const space = OPEN[engine](url, { maxConnections: 5 })
const VoteForm = deserializeAnnotatedType(form)

let point
/** Stops here for good, if this is where it is to be killed. */
const mayStop = async where => {
  if (where !== point) return
  process.send({ stopped: where })
  await new Promise(() => {})
}

class KillableRuns extends AsWfRunStore {
  async claim(...given) {
    await mayStop('before the claim')
    const held = await super.claim(...given)
    await mayStop('behind the claim')
    return held
  }

  async commit(held, change) {
    const isOfAnswer = change.events.some(({ type }) => type === 'answered')
    if (isOfAnswer) await mayStop('before the commit')
    const next = await super.commit(held, change)
    if (isOfAnswer) await mayStop('behind the commit')
    return next
  }
}

const runs = new KillableRuns({
  space,
  runs: space.table(RunType),
  events: space.table(EventType),
  links: space.table(LinkType),
  outbox: space.table(OutboxType),
})
const durable = new DurableStateStrategy({ runs, secret, leaseMs, maxRecoveries: 1000 })
const ledger = new AsWfLedger({ table: space.table(LedgerType) })

const note = what => {
  const [flowId] = useWfStep().idempotencyKey.split(':')
  appendFileSync(log, `${flowId} ${what}\n`)
}

class Expenses {
  approve() {}

  async decide(context, input, action) {
    const answers = useWfAnswers()
    note('decide')
    if (action === 'delegate') return handOn({ to: input.comment })
    if (!answers.isDecided) return outletEach(context.people, { form: VoteForm, ...context.how })
    await mayStop('in the step')
    context.outcome = answers.outcome
    context.said = answers.all.map(({ id, action: said }) => `${id} ${said}`)
  }

  tell(context) {
    note('tell')
    context.told = (context.told ?? 0) + 1
  }
}

// Plain Node knows no decorators.
const decorate = (method, ...decorators) => {
  const property = Object.getOwnPropertyDescriptor(Expenses.prototype, method)
  for (const decorator of decorators) decorator(Expenses.prototype, method, property)
}
decorate('approve', WorkflowSchema(['decide', 'tell']), Workflow('approve'))
for (const step of ['decide', 'tell']) {
  WorkflowParam('context')(Expenses.prototype, step, 0)
  decorate(step, Step(step))
}
WfInput({ form: VoteForm, ask: false, pass: true })(Expenses.prototype, 'decide', 1)
WfAction(VoteForm)(Expenses.prototype, 'decide', 2)
Controller()(Expenses)

const mails = {
  name: 'email',
  tokenDelivery: 'out-of-band',
  deliver: ({ target }, token) => void process.send({ mail: token, to: target }),
}

const logger = createLogger({ level: -1 })
const app = new Moost({ logger })
const wf = app.adapter(new MoostWf())
await app.registerControllers(Expenses).init()
const config = { state: durable, outlets: [mails], ledger, logger }
const runner = createWfRunner(config, wf)
const api = createWfRuns({ ...config, worker: worker ?? false }, wf)

const refused = ({ code, message }) => ({ kind: 'refused', code, message })
const answer = ({ token, action, input = {}, requestId, actor }) =>
  runner.resume(token, { action, input, requestId, actor })

const WORK = {
  /** Asks people. Whoever does what is due sends the mails. */
  start: ({ people, how }) => runner.start('approve', { context: { people, how } }),
  /** What has become of each of many answers at once. */
  answer: ({ answers }) => Promise.all(answers.map(answer)),
  /** Each is accepted, and others go on with it. */
  accept: ({ token, action, input = {} }) =>
    api
      .answer(token, { action, input })
      .then(accepted => ({ kind: 'accepted', ...accepted }), refused),
  reassign: ({ flowId, from, to }) =>
    api.reassign(flowId, { from, to }).then(version => ({ kind: 'reassigned', version }), refused),
  peek: ({ token }) => runner.peek(token),
  runDue: () => api.runDue(),
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
