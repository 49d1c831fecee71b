// An application whose one step never ends once it has input: to be killed at work. Plain Node, on what
// is built and published. node waiting-app.mjs <engine> <url>; tells its port, and when the step runs.
import {
  AsWfLedger,
  EncapsulatedStateStrategy,
  handleAsOutletRequest,
  MoostWf,
  outletHttp,
  Step,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { MoostHttp, Post, useBody } from '@atscript/moost-wf/http'
import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'
import { Controller, createLogger, Moost } from 'moost'

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const [engine, url, secret] = process.argv.slice(2)

const type = { type: AsWfLedgerRecord.type, metadata: new Map([['db.table', 'wf_ledger']]) }
const ledger = new AsWfLedger({ table: OPEN[engine](url).table(type) })
const state = new EncapsulatedStateStrategy({ secret, replay: ledger })
const wf = new MoostWf()

class Waiting {
  flow() {}

  async wait() {
    const { input } = await useBody().parseBody()
    if (!input) return outletHttp({ ask: 'go' })
    process.send('running')
    return new Promise(() => {})
  }

  handle() {
    return handleAsOutletRequest({ state, ledger }, wf)
  }
}

// Plain Node knows no decorators.
const decorate = (method, ...decorators) => {
  const property = Object.getOwnPropertyDescriptor(Waiting.prototype, method)
  for (const decorator of decorators) decorator(Waiting.prototype, method, property)
}
decorate('flow', WorkflowSchema(['wait']), Workflow('flow'))
decorate('wait', Step('wait'))
decorate('handle', Post('wf'))
Controller()(Waiting)

const app = new Moost({ logger: createLogger({ level: 2 }) })
const http = app.adapter(new MoostHttp())
app.adapter(wf)
await app.registerControllers(Waiting).init()
await http.listen(0, '127.0.0.1')
process.send(http.getHttpApp().getServer().address().port)
