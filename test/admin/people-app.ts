import { randomBytes } from 'node:crypto'
import {
  createWfRunner,
  createWfRuns,
  DurableStateStrategy,
  type MoostWf,
  outletEach,
  outletEmail,
  Step,
  useWfAnswers,
  WfAction,
  WfInput,
  WfLedgerMemory,
  type WfOutletRequest,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
  type WfRuns,
} from '@atscript/moost-wf'
import { createWfAdminController, type WfAdminOptions } from '@atscript/moost-wf/admin'
import { useHeaders } from '@atscript/moost-wf/http'
import type { WfEachOptions, WfPerson } from '@atscript/moost-wf/outlets'
import { AsWfRunStore, AsWfStore } from '@atscript/moost-wf/store'
import { Controller } from 'moost'
import { expect, onTestFinished, vi } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { VoteForm } from '../fixtures/schemas/vote-form.as'
import { WfEventRow, WfLinkRow, WfOutboxRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { sqliteDatabase } from '../support/databases'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

interface Expense {
  people?: WfPerson[]
  how?: Partial<WfEachOptions>
  signer?: string
}

/** What has gone out. */
export interface PeopleMail extends Omit<WfOutletRequest, 'code'> {
  readonly token: string
  readonly code: string | undefined
}

export const ACTOR = 'admin@example.com'

/** An application that asks several people at once, or one, by an outbox in a table; and its admin API. */
export async function openPeople(admin: Partial<WfAdminOptions> = {}) {
  const database = await sqliteDatabase()
  const space = database.open()
  const states = space.table(ExpenseStateRow)
  const tables = {
    runs: space.table(WfRunRow),
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
    outbox: space.table(WfOutboxRow),
  }
  await space.sync()
  const durable = new DurableStateStrategy({
    defaultTtl: 600_000,
    runs: new AsWfRunStore({ space, ...tables }),
    secret: randomBytes(32),
  })
  const mails: PeopleMail[] = []

  @Controller('expense')
  class Expenses {
    @Workflow('approve')
    @WorkflowSchema<Expense>(['decide'])
    approve() {}

    @Step('decide')
    decide(
      @WorkflowParam('context') { people = [], how }: Expense,
      @WfInput({ form: VoteForm, ask: false, pass: true }) _input?: VoteForm,
      @WfAction(VoteForm) _action?: string,
    ) {
      if (useWfAnswers().isDecided) return
      return outletEach(people, { form: VoteForm, template: 'decide', quorum: 2, ...how })
    }

    @Workflow('sign')
    @WorkflowSchema<Expense>(['put'])
    sign() {}

    @Step('put')
    put(
      @WorkflowParam('context') { signer = '' }: Expense,
      @WorkflowParam('input') input?: object,
    ) {
      const context = { note: 'a-note-for-you' }
      return input ? undefined : outletEmail(signer, 'sign', context, { code: true })
    }
  }

  const made: { runs?: WfRuns; wf?: MoostWf } = {}
  const Admin = createWfAdminController({
    store: new AsWfStore({ table: states }),
    wf: { describe: id => made.wf?.describe(id) },
    guard: () => useHeaders().authorization === 'Bearer admin',
    actor: () => ACTOR,
    runs: () => made.runs!,
    ...admin,
  })
  const { url, wf } = await startApp([Expenses, Admin])
  const email = {
    name: 'email',
    tokenDelivery: 'out-of-band',
    deliver: (asked: WfOutletRequest, token: string, { code }: { code?: string } = {}) =>
      void mails.push({ ...asked, token, code }),
  } as const
  const ledger = new WfLedgerMemory()
  const state = { strategies: { durable }, default: 'durable' } as const
  const config = { state, outlets: [email], ledger }
  const runner = createWfRunner(config, wf)
  const runs = createWfRuns({ ...config, worker: false }, wf)
  Object.assign(made, { runs, wf })
  onTestFinished(async () => {
    await runs.stop()
    await space.close()
    await database.drop()
  })
  const ask = (method: string, path: string, body: object = {}, more: object = {}) => {
    const headers = { authorization: 'Bearer admin', ...more }
    return request(url, body, { method, path: `/api/admin/${path}`, headers })
  }
  const post = (path: string, body: object) => ask('POST', path, body)
  const get = (path: string) => ask('GET', path)
  const begin = async (wfid: string, context: Expense) => {
    const started = await runner.start(wfid, { context })
    if (started.kind !== 'sent') throw new Error(JSON.stringify(started))
    const flowId = started.flowId!
    await runs.runDue()
    return flowId
  }
  return {
    runs,
    runner,
    tables,
    mails,
    ask,
    get,
    post,
    /** A run that asks these people at once, who have their mails. */
    asking: (people: readonly (string | WfPerson)[], how: Partial<WfEachOptions> = {}) =>
      begin('expense/approve', {
        people: people.map(one => (typeof one === 'string' ? { to: one } : one)),
        how,
      }),
    /** A run that asks one. */
    askingOne: (signer: string) => begin('expense/sign', { signer }),
    vote: (to: string, action: string, comment?: string) =>
      runner.resume(mails.findLast(({ target }) => target === to)!.token, {
        action,
        input: comment === undefined ? {} : { comment },
      }),
    shown: async (flowId: string) => (await get(`runs/${flowId}`)).body,
    version: async (flowId: string) => (await runs.get(flowId))?.version ?? 0,
    /** Does something with many runs, and waits until it is done. */
    async act(body: object) {
      const answer = await post('run-actions', body)
      expect([answer.status, answer.body.message]).toEqual([202, undefined])
      let job: Record<string, unknown> = {}
      await vi.waitFor(async () => {
        job = (await get(`jobs/${answer.body.job}`)).body
        expect(job.state).not.toBe('running')
      })
      await runs.runDue()
      return job
    },
  }
}
