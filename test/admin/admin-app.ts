import {
  createEmailOutlet,
  defineOutletConfig,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletEmail,
  outletHttp,
  Step,
  StepTTL,
  type WfEmail,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { HandleStateStrategyOptions } from '@atscript/moost-wf/strategies'
import {
  createWfAdminController,
  type WfAdminOptions,
  type WfResend,
} from '@atscript/moost-wf/admin'
import { All, useHeaders } from '@atscript/moost-wf/http'
import { AsWfStore, type AsWfStoreOptions, type WfTable } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { onTestFinished } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { sqliteDatabase, type TestDatabase } from '../support/databases'
import { startApp } from '../support/moost-app'
import { type Answer, request, type SendOptions } from '../support/shop'

/** Stands in every context; no answer may hold it. */
export const SECRET = 'hunter2-is-the-secret'

interface ClaimCtx {
  applicant?: string
  expense?: { amount?: number; urgent?: boolean }
  login?: { password: string; recoveryCodes: string[] }
  rounds?: number
}

type Input = { applicant?: string; amount?: number; again?: boolean; ok?: boolean } | undefined

interface Options {
  readonly database?: () => Promise<TestDatabase>
  readonly store?: Partial<AsWfStoreOptions>
  readonly Store?: new (options: AsWfStoreOptions) => AsWfStore
  readonly strategy?: Partial<HandleStateStrategyOptions>
  readonly wrapTable?: (table: WfTable) => WfTable
  readonly admin?: Partial<WfAdminOptions>
}

/** A real application with paused flows in a real database, and the admin API beside its endpoint. */
export async function openAdmin(options: Options = {}) {
  const database = await (options.database ?? sqliteDatabase)()
  const space = database.open()
  const table = space.table(ExpenseStateRow)
  await space.sync()
  onTestFinished(async () => {
    await space.close()
    await database.drop()
  })
  const clock = new FakeClock()
  const mails: WfEmail[] = []
  const resent: WfResend[] = []
  const Store = options.Store ?? AsWfStore
  const wrapped = options.wrapTable?.(table) ?? table
  const store = new Store({ table: wrapped, clock, warn: () => {}, ...options.store })
  const config = defineOutletConfig({
    state: new HandleStateStrategy({ store, ...options.strategy }),
    outlets: [createEmailOutlet(async mail => void mails.push(mail))],
    actor: () => 'ada',
    clock,
  })

  @Controller('expenses')
  class Expenses {
    @Workflow('claim')
    @WorkflowSchema<ClaimCtx>([
      'form',
      { while: ctx => (ctx.rounds ?? 0) < 2, steps: ['review'] },
      { id: 'pay', condition: 'expense.amount > 100' },
      'done',
    ])
    claim() {}

    @Workflow('invite')
    @WorkflowSchema<ClaimCtx>(['form', 'mail', 'done'])
    invite() {}

    @Workflow('short')
    @WorkflowSchema<ClaimCtx>(['form', 'brief', 'done'])
    short() {}

    @Step('form')
    form(@WorkflowParam('context') ctx: ClaimCtx, @WorkflowParam('input') input: Input) {
      ctx.login = { password: SECRET, recoveryCodes: [SECRET] }
      if (!input?.applicant) return outletHttp({ ask: 'applicant' })
      ctx.applicant = input.applicant
      ctx.expense = { amount: input.amount, urgent: (input.amount ?? 0) > 500 }
    }

    @Step('review')
    review(@WorkflowParam('context') ctx: ClaimCtx, @WorkflowParam('input') input: Input) {
      if (!input) return outletHttp({ ask: 'review' })
      if (app.fail) throw app.fail
      ctx.rounds = (ctx.rounds ?? 0) + 1
    }

    @Step('pay')
    pay(@WorkflowParam('input') input: Input) {
      if (!input) return outletHttp({ ask: 'pay' })
    }

    @Step('mail')
    mail(@WorkflowParam('context') ctx: ClaimCtx, @WorkflowParam('input') input: Input) {
      if (!input?.ok) return outletEmail(`${ctx.applicant}@example.com`, 'invite')
    }

    @Step('brief')
    @StepTTL(60_000)
    brief(@WorkflowParam('input') input: Input) {
      if (!input?.ok) return outletHttp({ ask: 'ok' })
    }

    @Step('done')
    done() {}
  }

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @All('wf')
    handle() {
      return handleAsOutletRequest(config, this.wf)
    }
  }

  const described: { wf?: MoostWf } = {}
  const Admin = createWfAdminController({
    store,
    wf: { describe: id => described.wf?.describe(id) },
    guard: () => useHeaders().authorization === 'Bearer admin',
    resend: async flow => void resent.push(flow),
    ...options.admin,
  })
  const { url, log, wf } = await startApp([Expenses, Endpoint, Admin], { wf: { clock } })
  described.wf = wf

  const send = (body: unknown): Promise<Answer> => request(url, body, {})
  const ask =
    (method: string) =>
    (path: string, body?: unknown, sent: SendOptions = {}) =>
      request(url, body ?? {}, {
        method,
        ...sent,
        path: `/api/admin/${path}`,
        headers: { authorization: 'Bearer admin', ...sent.headers },
      })
  const app = {
    /** Thrown by the step `review`. */
    fail: undefined as Error | undefined,
    url,
    log,
    clock,
    database,
    space,
    table,
    store,
    mails,
    resent,
    send,
    get: (path: string, sent?: SendOptions) => ask('GET')(path, undefined, sent),
    post: ask('POST'),
    /** Starts a flow and answers its form, so that it waits at the next step. */
    async pause(wfid: string, input: object = { applicant: 'ann', amount: 7 }) {
      const { body } = await send({ wfid })
      const next = await send({ wfs: body.wfs, input })
      return (next.body.wfs ?? mails.at(-1)?.token) as string
    },
    /** The only row there is. */
    async onlyRow() {
      const [row] = await table.findMany({ filter: {} })
      return row!
    },
  }
  return app
}

export type OpenAdmin = Awaited<ReturnType<typeof openAdmin>>
