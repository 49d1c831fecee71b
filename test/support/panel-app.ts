import {
  createWfRunner,
  createWfRuns,
  DurableStateStrategy,
  outletEach,
  Step,
  type TWorkflowSchema,
  useWfAnswers,
  WfAction,
  type WfForm,
  WfInput,
  WfLedgerMemory,
  type WfOutlet,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfEachOptions, WfPerson } from '@atscript/moost-wf/outlets'
import type { WfAnswers, WfRunnerConfig } from '@atscript/moost-wf/run'
import type { DurableStateStrategyOptions } from '@atscript/moost-wf/strategies'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { ReviewForm, VoteForm } from '../fixtures/schemas/vote-form.as'
import { LEASE_MS, SECRET } from './durable-app'
import { buildApp } from './moost-app'
import type { SharedRuns } from './run-stores'

export const [ADA, BOB, CLEO, DAN] = ['ada@x.com', 'bob@x.com', 'cleo@x.com', 'dan@x.com'] as const

/** What an outlet was given. */
export interface SentMail {
  readonly token: string
  readonly target: string
  readonly template: string | undefined
  readonly context: unknown
  readonly reminder: number | undefined
  readonly messageId: string | undefined
}

/** A code that went out alone. */
export interface SentCode {
  readonly by: string
  readonly target: string
  readonly template: string | undefined
  readonly code: string
  /** What there was of a link. */
  readonly token: string
}

export interface Expense {
  people: WfPerson[]
  how: Partial<WfEachOptions>
  amount: number
  history: string[]
  outcome?: string
  [key: string]: unknown
}

interface Vote {
  readonly comment?: string
}

type Decide = (
  ctx: Expense,
  answers: WfAnswers<Vote>,
  input: Vote | undefined,
  action: string | undefined,
) => unknown

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

/** Asks those who are named, and notes what they have decided. */
export const askAll: Decide = (ctx, answers) => {
  if (!answers.isDecided) return ask(ctx)
  ctx.outcome = answers.outcome
  ctx.history = answers.all.map(({ by, to, action, input }) =>
    [by ?? to, action, input?.comment].filter(Boolean).join(' '),
  )
}

export const ask = ({ people, how }: Expense) =>
  outletEach(people, { form: VoteForm, template: 'decide', quorum: 2, ...how })

export interface PanelAppOptions {
  readonly strategy?: Partial<DurableStateStrategyOptions>
  readonly config?: Partial<WfRunnerConfig>
  readonly decide?: Decide
  /** Another build of the workflows. */
  readonly build?: Build
}

/** What a build makes of `expense/approve`. */
interface Build {
  readonly schema?: TWorkflowSchema<Expense>
  /** What `decide` asks for. */
  readonly form?: WfForm & (new () => object)
}

const SCHEMA: TWorkflowSchema<Expense> = [
  'decide',
  { id: 'escalate', condition: ctx => !ctx.outcome },
  'tell',
]

/** The workflow `expense/approve`, which asks those whom its context names, and `expense/review`. */
export function panelWorkflows(
  decide: Decide = askAll,
  { schema = SCHEMA, form = VoteForm }: Build = {},
) {
  const ran: string[] = []
  const deeds = {
    decide,
    escalate: (_ctx: Expense, _answers: WfAnswers<Vote>): unknown => undefined,
  }

  @Controller('expense')
  class Expenses {
    @Workflow('approve')
    @WorkflowSchema<Expense>(schema)
    approve() {}

    @Step('decide')
    decide(
      @WorkflowParam('context') ctx: Expense,
      @WfInput({ form, ask: false, pass: true }) input?: VoteForm,
      @WfAction(form) action?: string,
    ) {
      ran.push('decide')
      return deeds.decide(ctx, useWfAnswers<Vote>(), input, action)
    }

    @Step('escalate')
    escalate(@WorkflowParam('context') ctx: Expense) {
      ran.push('escalate')
      return deeds.escalate(ctx, useWfAnswers<Vote>())
    }

    @Step('tell')
    tell() {
      ran.push('tell')
    }

    @Workflow('review')
    @WorkflowSchema<Expense>(['grade', 'tell'])
    review() {}

    @Step('grade')
    grade(
      @WorkflowParam('context') ctx: Expense,
      @WfInput({ form: ReviewForm, ask: false }) _input?: ReviewForm,
    ) {
      const answers = useWfAnswers<ReviewForm>()
      if (!answers.isDecided) {
        return outletEach(ctx.people, { form: ReviewForm, quorum: 'all', ...ctx.how })
      }
      ctx.grades = answers.all.map(({ input }) => input?.grade)
    }
  }

  return { Expenses, ran, deeds }
}

/** Outlets that keep what they are given. */
export function keepMails() {
  const mails: SentMail[] = []
  const codes: SentCode[] = []
  const outlets = ['email', 'sms'].map((name): WfOutlet => ({
    name,
    tokenDelivery: 'out-of-band',
    deliver({ target = '', template, context, reminder }, token, { messageId, code } = {}) {
      if (code === undefined) mails.push({ token, target, template, context, reminder, messageId })
      else codes.push({ by: name, target, template, code, token })
    },
  }))
  return { mails, codes, outlets }
}

/** A process with both. Nothing is sent by itself. */
export async function openPanelApp(
  shared: SharedRuns,
  { strategy = {}, config = {}, decide, build }: PanelAppOptions = {},
) {
  const { clock, runs } = shared
  const { Expenses, ran, deeds } = panelWorkflows(decide, build)
  const { mails, codes, outlets } = keepMails()
  const { app, wf } = buildApp([Expenses])
  await app.init()
  const durable = new DurableStateStrategy({ runs, secret: SECRET, leaseMs: LEASE_MS, ...strategy })
  const ledger = new WfLedgerMemory({ clock })
  const all: WfRunnerConfig = { state: durable, outlets, clock, ledger, ...config }
  const runner = createWfRunner(all, wf)
  const api = createWfRuns({ ...all, logger: SILENT, worker: false }, wf)
  const latest = (to: string) => mails.findLast(({ target }) => target === to)!.token
  return {
    ...shared,
    runner,
    api,
    wf,
    durable,
    ledger,
    mails,
    codes,
    ran,
    deeds,
    config: all,
    latest,
    /** Asks, and delivers the mails. */
    async start(
      people: readonly (string | WfPerson)[],
      how: Partial<WfEachOptions> = {},
      wfid = 'expense/approve',
    ) {
      const asked = people.map(one => (typeof one === 'string' ? { to: one } : one))
      const context: Expense = { people: asked, how, amount: 7, history: [] }
      const started = await runner.start(wfid, { context, actor: 'the applicant' })
      await api.runDue()
      if (started.kind !== 'sent') throw new Error(JSON.stringify(started))
      return { ...started, flowId: started.flowId! }
    },
    vote: (
      to: string,
      action: string,
      { comment, ...more }: { comment?: string; actor?: string; code?: string } = {},
    ) =>
      runner.resume(latest(to), {
        action,
        input: comment === undefined ? {} : { comment },
        ...more,
      }),
    /** Asks for a code by the link of somebody, and reads it where it has arrived. */
    async codeFor(to: string, actor?: string): Promise<string> {
      if (!(await runner.askCode(latest(to), { actor }))) throw new Error('No code was sent.')
      return codes.at(-1)!.code
    },
    /** Lets time pass, and then does what is due. */
    wait(ms: number) {
      clock.advance(ms)
      return api.runDue()
    },
    context: async (flowId: string) => (await api.get(flowId))?.context as Expense,
    /** The types of what has happened, without what every run begins with. */
    story: async (flowId: string) => (await api.history(flowId)).map(({ type }) => type),
  }
}

export type PanelApp = Awaited<ReturnType<typeof openPanelApp>>
