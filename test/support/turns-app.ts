import { randomBytes } from 'node:crypto'
import {
  AsWfLedger,
  createAsHttpOutlet,
  createEmailOutlet,
  createWfRuns,
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  finishWf,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletEmail,
  outletHttp,
  Step,
  StepTTL,
  type WfEmail,
  WfInput,
  WfLedgerMemory,
  type WfOutletConfig,
  type WfOutletRequest,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { createWfAdminController, type WfAdminStore, type WfResend } from '@atscript/moost-wf/admin'
import { All } from '@atscript/moost-wf/http'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfRunStore, AsWfStore } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { onTestFinished } from 'vitest'
import { DecisionForm } from '../fixtures/schemas/decision-form.as'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { WfLedgerRow } from '../fixtures/schemas/wf-ledger-row.as'
import { WfEventRow, WfLinkRow, WfOutboxRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { startApp } from './moost-app'
import { request, type SendOptions } from './shop'

interface Papers {
  opened?: string
  first?: string
  second?: string
}

type Signed = { readonly name?: string } | undefined

/** How the state of the flows is kept. */
export type Keeping =
  | 'handle'
  | 'stable'
  | 'hashed'
  | 'memory'
  | 'encapsulated'
  | 'durable'
  /** The same with an outbox. */
  | 'queued'

export const MINUTE = 60_000
/** How long a link can be opened. */
export const LINK_MS = 60 * MINUTE

interface TurnsOptions {
  readonly keeping?: Keeping
  readonly config?: Partial<WfOutletConfig>
  /** What the mails say beside their texts. */
  readonly link?: Partial<WfOutletRequest>
  /** Whether the store is told of the ledger. @default true */
  readonly storeNotes?: boolean
  /** Whom the first mail goes to. */
  readonly first?: string
}

/**
 * Papers that two people sign, one after the other: each gets a link, which leads to a form. In
 * `turns/decide` the form travels with the link.
 */
export async function openTurns(options: TurnsOptions = {}) {
  const { keeping = 'handle', storeNotes = true, first = 'ann@example.com' } = options
  const clock = new FakeClock()
  const mails: WfEmail[] = []
  const resent: WfResend[] = []
  const space = openSqlite(':memory:', { clock })
  onTestFinished(() => space.close())
  const table = space.table(ExpenseStateRow)
  const ledgerTable = space.table(WfLedgerRow)
  const runTables = {
    runs: space.table(WfRunRow),
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
    outbox: space.table(WfOutboxRow),
  }
  await space.sync()
  const ledger =
    keeping === 'memory'
      ? new WfLedgerMemory({ clock })
      : new AsWfLedger({ table: ledgerTable, clock })
  const hashHandles = keeping === 'hashed'
  const noted = storeNotes ? ledger : undefined
  const rows = new AsWfStore({ table, clock, hashHandles, ledger: noted, warn: () => {} })
  const store = keeping === 'memory' ? new WfStateStoreMemory({ clock }) : rows
  const secret = randomBytes(32)
  const encapsulated = new EncapsulatedStateStrategy({ secret, replay: ledger, clock })
  const outbox = keeping === 'queued' ? runTables.outbox : undefined
  const runs = new AsWfRunStore({ space, ...runTables, outbox, clock })
  const durable = new DurableStateStrategy({ runs, secret })
  const others = { encapsulated, durable, queued: durable } as const
  const state =
    keeping === 'encapsulated' || keeping === 'durable' || keeping === 'queued'
      ? others[keeping]
      : new HandleStateStrategy({ store, stable: keeping === 'stable' })
  const app = {
    /** Thrown when a mail is sent. */
    fail: undefined as Error | undefined,
    /** Awaited before a mail is sent. */
    beforeMail: async (_mail: WfEmail) => {},
    /** What the next mails say beside their texts. */
    link: options.link ?? {},
  }
  const config: WfOutletConfig = {
    state,
    ledger,
    clock,
    outlets: [
      createAsHttpOutlet(),
      createEmailOutlet(async mail => {
        await app.beforeMail(mail)
        if (app.fail) throw app.fail
        mails.push(mail)
      }),
    ],
    ...options.config,
  }

  const sign = (ctx: Papers, turn: 'first' | 'second', to: string, input: Signed) => {
    if (input?.name) ctx[turn] = input.name
    else if (ctx.opened === turn) return outletHttp({ ask: turn })
    else {
      ctx.opened = turn
      return outletEmail(to, 'sign', { greeting: `Dear ${turn}` }, app.link)
    }
  }

  @Controller('turns')
  class Turns {
    @Workflow('papers')
    @WorkflowSchema<Papers>(['first', 'second', 'end'])
    papers() {}

    @Workflow('decide')
    @WorkflowSchema<Papers>(['decision', 'end'])
    decide() {}

    @Workflow('alone')
    @WorkflowSchema<Papers>(['form', 'end'])
    alone() {}

    @Step('first')
    @StepTTL(LINK_MS)
    first(@WorkflowParam('context') ctx: Papers, @WorkflowParam('input') input: Signed) {
      return sign(ctx, 'first', first, input)
    }

    @Step('second')
    @StepTTL(LINK_MS)
    second(@WorkflowParam('context') ctx: Papers, @WorkflowParam('input') input: Signed) {
      return sign(ctx, 'second', 'bob@example.com', input)
    }

    @Step('decision')
    @StepTTL(LINK_MS)
    decision(
      @WorkflowParam('context') ctx: Papers,
      @WfInput({ form: DecisionForm, ask: false }) input?: { decision: string },
    ) {
      if (!input) {
        const greeting = 'Dear first'
        return outletEmail(first, 'decide', { greeting }, { form: DecisionForm, ...app.link })
      }
      ctx.first = input.decision
    }

    @Step('form')
    form(@WorkflowParam('input') input: Signed) {
      if (!input?.name) return outletHttp({ ask: 'alone' })
    }

    @Step('end')
    end(@WorkflowParam('context') { first: by, second }: Papers) {
      finishWf({ data: { first: by, second } })
    }
  }

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @All('wf')
    handle() {
      return handleAsOutletRequest(config, this.wf)
    }
  }

  const Admin = createWfAdminController({
    store: rows as unknown as WfAdminStore,
    guard: () => true,
    resend: async flow => void resent.push(flow),
  })
  const { url, log, wf, http } = await startApp([Turns, Endpoint, Admin], { wf: { clock } })
  const api = keeping === 'queued' ? createWfRuns({ ...config, worker: false }, wf) : undefined
  /** Sends the messages that wait. */
  const deliver = async () => void (await api?.runDue())
  const send = async (body: unknown, sent: SendOptions = {}) => {
    const answer = await request(url, body, sent)
    await deliver()
    return answer
  }
  return Object.assign(app, {
    url,
    log,
    wf,
    http,
    clock,
    mails,
    resent,
    ledger,
    ledgerTable,
    table,
    rows,
    store,
    encapsulated,
    durable,
    runs,
    config,
    send,
    deliver,
    /** Starts a flow as a browser does. @returns what it has then, and what was mailed */
    async beginWatched(wfid = 'turns/decide', sent?: SendOptions) {
      const answer = await send({ wfid }, sent)
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      return { answer, watch: answer.body.watch as string, cookie, mail: mails.at(-1)! }
    },
    /** Starts a flow. @returns the token in its first mail */
    async begin(wfid = 'turns/papers', sent?: SendOptions): Promise<string> {
      await send({ wfid }, sent)
      return mails.at(-1)!.token
    },
    look: (wfs: string, sent: SendOptions = {}) =>
      request(url, undefined, { method: 'GET', query: `?wfs=${encodeURIComponent(wfs)}`, ...sent }),
    /** What an admin does with the only flow there is. */
    async resend() {
      const [row] = await table.findMany({ filter: {} })
      const body = { version: row?.version ?? 1 }
      return request(url, body, { path: `/api/admin/flows/${row?.id ?? 'none'}/resend` })
    },
  })
}

export type OpenTurns = Awaited<ReturnType<typeof openTurns>>
