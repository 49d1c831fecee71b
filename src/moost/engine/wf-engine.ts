import {
  createStep,
  Step,
  type TFlowOutput,
  type TStepHandler,
  type TWorkflowSchema,
  type TWorkflowSpy,
} from '@prostojs/wf'
import { current, getContextInjector, type Logger } from '@wooksjs/event-core'
import { type TWfRunOptions, type TWooksWfOptions, wfKind, WooksWf } from '@wooksjs/event-wf'
import { isThenable } from 'moost'
import { Wooks } from 'wooks'
import { WfError } from '../../errors'
import { normalizeId, type WfDescription, type WfState } from '../../state'
import { assertDeadlines } from './assert-deadlines'
import { compileConditions } from './compile-conditions'
import { compileSchema } from './compile-schema'
import { describeSchema } from './describe-schema'
import { Course, type NamedSteps } from './named-steps'
import { RunContext } from './run-context'
import { raiseReturnedError, wrapStep } from './run-step'
import { assertSchema } from './schema-item'
import { type WfCheckpoint, WfRun, wfRunKey } from './wf-run'

/** Options of one start or resume. */
export interface WfRunOptions<I = unknown, T = unknown, IR = unknown> extends TWfRunOptions<
  I,
  T,
  IR
> {
  /** Awaited after each step that did not pause. */
  checkpoint?: WfCheckpoint | undefined
  /**
   * The state that is resumed may be changed: nobody else looks at it.
   * @default false
   */
  ownsState?: boolean | undefined
}

type Init = () => unknown
/** Throws unless a handler may run. */
type Guard = () => Promise<void>

interface Flow {
  readonly description: WfDescription
  /** Runs the workflow's own method. */
  readonly init: (() => void | Promise<void>) | undefined
  readonly guard: Guard | undefined
  readonly named: NamedSteps | undefined
}

/** What a workflow says of itself beside its schema. */
interface FlowPolicy extends Pick<WfDescription, 'migrate' | 'carryOver' | 'formsOf' | 'policyOf'> {
  readonly guard?: Guard | undefined
  /** The schema is made of these. */
  readonly named?: NamedSteps | undefined
}

/**
 * The stock workflow app, mended: steps and flows are its own, schemas are compiled, steps are wrapped,
 * positions are checked and each run has an event context of its own.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- mirrors the defaults of the class it extends
export class WfEngine<T = any, IR = any> extends WooksWf<T, IR> {
  readonly #flows = new Map<string, Flow>()
  readonly #guards = new Map<string, Guard>()

  constructor(options: TWooksWfOptions = {}, wooks?: Wooks) {
    const { logger, router } = options
    // Without one of its own it would share the router of the process with all other apps.
    super(options, wooks ?? new Wooks({ logger, router }))
  }

  /** Runs log there from now on, unless the options have named a logger. */
  logTo(logger: Logger): void {
    if (!this.opts?.logger) this.eventContextOptions.logger = logger
  }

  override step<I>(
    id: string,
    opts: { input?: I; handler: string | TStepHandler<T, I, IR> },
    guard?: Guard,
  ) {
    if (guard) this.#guards.set(normalizeId(id), guard)
    const handler = toHandler(id, opts) as TStepHandler<unknown, unknown, unknown>
    const step = new Step(id, wrapStep(handler))
    return this.on('WF_STEP', `/${normalizeId(id)}`, () => step)
  }

  override flow(
    id: string,
    schema: TWorkflowSchema<T>,
    prefix = '',
    init?: Init,
    { guard, named, ...policy }: FlowPolicy = {},
  ) {
    assertSchema(schema)
    const flowId = normalizeId(id)
    const compiled = compileSchema(schema)
    const description = { ...describeSchema(flowId, compiled, prefix), ...policy }
    for (const { stepId } of description.steps) this.#assertStep(stepId)
    assertDeadlines(description)
    compileConditions(this.wf, flowId, compiled)
    this.wf.register(flowId, compiled, prefix)
    const flow = { description, init: init && withInput(init), guard, named }
    this.#flows.set(flowId, flow)
    return this.on('WF_FLOW', `/${flowId}`, () => ({ id: flowId, init: flow.init }))
  }

  /** What this build knows about a workflow; `undefined` when it has none of that id. */
  describe(schemaId: string): WfDescription | undefined {
    return this.#flows.get(normalizeId(schemaId))?.description
  }

  // Neither of the two goes by way of the base class: that takes eight promises more, and a second
  // context. The input is not for the engine: the step that gets it takes it from the run.

  /** @throws WfError `WF_UNKNOWN` */
  override async start<I>(schemaId: string, context: T, opts: WfRunOptions<I, T, IR> = {}) {
    const flow = this.#flowOf(schemaId)
    const run = new WfRun(flow.description.schemaId, opts.input, opts.checkpoint)
    run.course = courseOf(flow)
    const event = this.#eventOf(run, context, undefined, opts)
    const spy = run.watchStart(opts.spy)
    try {
      const output = await event.open(() =>
        enter(flow, () => this.wf.start<I>(run.schemaId, context, undefined, spy)),
      )
      return this.#withContinuations(output, opts)
    } finally {
      event.close(opts.cleanup)
    }
  }

  /**
   * Goes on from a paused state, or from a checkpoint. Works on a copy, unless it is handed the state
   * over with `ownsState`: what was handed in stays as it was, whatever the steps do.
   *
   * @throws WfError `WF_UNKNOWN`, `WF_DEFINITION_CHANGED`
   */
  override async resume<I>(
    state: Pick<WfState, 'schemaId' | 'indexes'> & { context: T },
    opts: WfRunOptions<I, T, IR> = {},
  ) {
    const flow = this.#flowOf(state.schemaId)
    const { schemaId, hasPosition } = flow.description
    if (!Array.isArray(state.indexes) || !hasPosition(state.indexes)) {
      throw new WfError(
        'WF_DEFINITION_CHANGED',
        `Workflow "${schemaId}" has no such position in this build.`,
      )
    }
    const context = opts.ownsState ? state.context : structuredClone(state.context)
    const own = { schemaId, indexes: state.indexes.slice(), context }
    const run = new WfRun(schemaId, opts.input, opts.checkpoint, own.indexes)
    run.course = courseOf(flow, own.indexes)
    const event = this.#eventOf(run, context, own.indexes, opts)
    try {
      const output = await event.open(() =>
        enter(flow, () =>
          this.wf.resume<unknown>(own, undefined, opts.spy as TWorkflowSpy<T, unknown, IR>),
        ),
      )
      return this.#withContinuations(output as TFlowOutput<T, I, IR>, opts)
    } finally {
      event.close(opts.cleanup)
    }
  }

  /**
   * Asks what stands before the step that a state waits at, and before its workflow, whether it may run
   * here. Runs neither.
   *
   * @throws what refuses it; WfError `WF_UNKNOWN`
   */
  async guard(
    { schemaId, indexes, context }: Pick<WfState, 'schemaId' | 'indexes'> & { context: T },
    opts: Pick<WfRunOptions, 'eventContext'> = {},
  ): Promise<void> {
    const flow = this.#flowOf(schemaId)
    const own = indexes.slice()
    const run = new WfRun(flow.description.schemaId, undefined, undefined, own)
    const event = this.#eventOf(run, structuredClone(context), own, opts)
    const stepId = flow.description.stepIdAt(indexes)
    try {
      await event.open(async () => {
        await flow.guard?.()
        if (stepId === undefined) return
        event.set(wfKind.keys.stepId, stepId)
        await this.#guards.get(stepId)?.()
      })
    } finally {
      event.close(undefined)
    }
  }

  #eventOf<I>(
    run: WfRun,
    inputContext: T,
    indexes: number[] | undefined,
    { eventContext }: WfRunOptions<I, T, IR>,
  ): RunContext {
    const options = { logger: this.eventContextOptions.logger, parent: eventContext }
    const { schemaId } = run
    return new RunContext(options, run, {
      schemaId,
      stepId: null,
      inputContext,
      indexes,
      input: undefined,
    })
  }

  // The engine's own `resume` and `retry` lose the event context and this wrapper.
  #withContinuations<I>(output: TFlowOutput<T, I, IR>, opts: WfRunOptions<I, T, IR>) {
    const goOn = (input?: unknown) =>
      this.resume(output.state, { ...opts, input, ownsState: false } as WfRunOptions<
        unknown,
        T,
        IR
      >)
    if (output.resume) output.resume = goOn
    if (output.retry) output.retry = goOn
    return output
  }

  #flowOf(schemaId: string): Flow {
    const flow = this.#flows.get(normalizeId(schemaId))
    if (!flow) throw new WfError('WF_UNKNOWN', `There is no workflow "${schemaId}".`)
    return flow
  }

  #assertStep(stepId: string): void {
    const router = this.getWooks().getRouter()
    if (!router.lookup('WF_STEP' as 'GET', `/${stepId}`)) {
      throw new WfError('WF_CONFIG', `No @Step is registered as "${stepId}".`)
    }
  }
}

function courseOf({ named, description }: Flow, indexes?: readonly number[]): Course | undefined {
  return named && new Course(named, description.steps, indexes)
}

/** The workflow's own method runs before the steps, on start and on resume, and sees the input too. */
function withInput(init: Init): () => void | Promise<void> {
  return () => {
    const event = current()
    event.set(wfKind.keys.input, event.get(wfRunKey).input)
    const settle = (output: unknown) => {
      raiseReturnedError(output)
      event.set(wfKind.keys.input, undefined)
    }
    const output = init()
    return isThenable(output) ? Promise.resolve(output).then(settle) : settle(output)
  }
}

/** Runs the workflow's own method, then the steps. */
function enter<R>({ init, description }: Flow, runSteps: () => Promise<R>): Promise<R> {
  getContextInjector<string>()?.hook('WF_FLOW', 'Handler:routed', `/${description.schemaId}`)
  const initialised = init?.()
  return initialised ? initialised.then(runSteps) : runSteps()
}

/** A handler as the engine would call it: it may be an expression, or ask for input by itself. */
function toHandler<T, I, IR>(
  id: string,
  opts: { input?: I; handler: string | TStepHandler<T, I, IR> },
): TStepHandler<T, I, IR> {
  if (typeof opts.handler === 'function' && opts.input === undefined) return opts.handler
  const step = createStep<T, I, IR>(id, opts)
  return step.handle.bind(step)
}
