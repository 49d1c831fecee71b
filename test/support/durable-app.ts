import { randomBytes } from 'node:crypto'
import {
  createEmailOutlet,
  createWfRunner,
  createWfRuns,
  EncapsulatedStateStrategy,
  outletHttp,
  Step,
  type TWorkflowSchema,
  type WfEmail,
  WfLedgerMemory,
  type WfMigrate,
  type WfRunResult,
  Workflow,
  WorkflowMigration,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfPausedResult, WfRunnerConfig } from '@atscript/moost-wf/run'
import type { WfRunStore } from '@atscript/moost-wf/store'
import {
  DurableStateStrategy,
  type DurableStateStrategyOptions,
} from '@atscript/moost-wf/strategies'
import type { FakeClock } from '@atscript/moost-wf/testing'
import { createEventContext, type Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { resolveRunConfig, takeUpRun } from '../../src/run'
import { buildApp } from './moost-app'

export interface OrderContext {
  name?: string
  work?: number
  [key: string]: unknown
}
export type OrderInput = Record<string, unknown> | undefined
type Deed = (ctx: OrderContext, input: OrderInput) => unknown

/** Where a step of the workflow does what a test wants. */
export interface Deeds {
  ask: Deed
  work: Deed
  last: Deed
}

const CALLER = { name: 'http', deliver: () => ({}) }
const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

/** So long that no process of a test says in time that it is alive: it is dead when the clock says so. */
export const LEASE_MS = 600_000

/** One secret for all processes of a test. */
export const SECRET = randomBytes(32)

export interface DurableAppOptions {
  readonly strategy?: Partial<DurableStateStrategyOptions>
  readonly config?: Partial<WfRunnerConfig>
  /** How it looks after runs by itself. @default not at all */
  readonly worker?: { readonly everyMs: number; readonly concurrency: number }
  /** Another build of the workflow. */
  readonly schema?: TWorkflowSchema<OrderContext>
  readonly migrate?: WfMigrate
}

const SCHEMA: TWorkflowSchema<OrderContext> = ['ask', { id: 'work', condition: () => true }, 'last']

/** A process that runs the workflow `shop/order`, of three steps, on runs that others may share. */
export async function openDurableApp(
  { runs, clock }: { readonly runs: WfRunStore; readonly clock: FakeClock },
  {
    strategy: options = {},
    config = {},
    worker,
    schema = SCHEMA,
    migrate = () => null,
  }: DurableAppOptions = {},
) {
  const ran: string[] = []
  const mails: WfEmail[] = []
  const deeds: Deeds = {
    ask: (ctx, input) => {
      if (!input?.name) return outletHttp({ ask: 'name' })
      ctx.name = input.name as string
    },
    work: ctx => {
      ctx.work = (ctx.work ?? 0) + 1
    },
    last: () => undefined,
  }

  @Controller('shop')
  class Shop {
    @Workflow('order')
    @WorkflowSchema<OrderContext>(schema)
    @WorkflowMigration(migrate)
    order() {}

    @Step('ask')
    ask(@WorkflowParam('context') ctx: OrderContext, @WorkflowParam('input') input: OrderInput) {
      ran.push('ask')
      return deeds.ask(ctx, input)
    }

    @Step('work')
    work(@WorkflowParam('context') ctx: OrderContext, @WorkflowParam('input') input: OrderInput) {
      ran.push('work')
      return deeds.work(ctx, input)
    }

    @Step('last')
    last(@WorkflowParam('context') ctx: OrderContext, @WorkflowParam('input') input: OrderInput) {
      ran.push('last')
      return deeds.last(ctx, input)
    }
  }

  const { app, wf } = buildApp([Shop])
  await app.init()
  const durable = new DurableStateStrategy({ runs, secret: SECRET, leaseMs: LEASE_MS, ...options })
  const encapsulated = new EncapsulatedStateStrategy({
    secret: SECRET,
    clock,
    replay: new WfLedgerMemory({ clock }),
  })
  const runConfig: WfRunnerConfig = {
    state: { strategies: { durable, encapsulated }, default: 'durable' },
    outlets: [createEmailOutlet(async mail => void mails.push(mail))],
    clock,
    ...config,
  }
  const runner = createWfRunner(runConfig, wf)
  const resolved = resolveRunConfig(runConfig, CALLER)
  /** Goes on with a run by itself. */
  const takeUp = (flowId: string) =>
    createEventContext({ logger: SILENT }, () =>
      takeUpRun(resolved, wf, {
        strategy: 'durable',
        flowId,
        actor: 'worker 1',
        reason: 'a test',
      }),
    )
  const api = createWfRuns({ ...runConfig, logger: SILENT, worker: worker ?? false }, wf)
  return { runner, takeUp, api, durable, deeds, ran, mails, wf, runConfig }
}

export type DurableApp = Awaited<ReturnType<typeof openDurableApp>>

export function paused(result: WfRunResult): WfPausedResult {
  if (result.kind === 'paused') return result
  throw new Error(`It is ${result.kind}: ${JSON.stringify(result)}`)
}

/** The token and the flow of a new order. */
export async function startOrder({ runner }: Pick<DurableApp, 'runner'>) {
  const { token, flowId } = paused(await runner.start('shop/order'))
  return { token, flowId: flowId! }
}

/** Lets a run hang in a step. Nothing of its process comes any more, until it is let go. */
export async function hangIn(
  { deeds, runner }: DurableApp,
  step: keyof Deeds,
  token: string,
  input: object,
) {
  const former = deeds[step]
  const reached = newSignal()
  const released = newSignal()
  deeds[step] = async (...given) => {
    reached.give()
    await released.given
    return former(...given)
  }
  const result = runner.resume(token, { input })
  result.catch(() => {})
  await reached.given
  deeds[step] = former
  return { result, letGo: released.give }
}

function newSignal() {
  let give = () => {}
  const given = new Promise<void>(resolve => {
    give = resolve
  })
  return { give: () => give(), given }
}
