import type { TWorkflowSpy } from '@prostojs/wf'
import { type TWooksWfOptions, WooksWf } from '@wooksjs/event-wf'
import {
  createProvideRegistry,
  defineMoostEventHandler,
  type Moost,
  type TMoostAdapter,
  type TMoostAdapterOptions,
  type TObject,
} from 'moost'
import { WfError } from '../errors'
import {
  type Clock,
  normalizeId,
  systemClock,
  type WfDescription,
  type WfState,
  type WfStepForm,
  type WfStepPolicy,
} from '../state'
import { assertInjected } from '../controllers'
import { assertDecorators } from './assert-decorators'
import { readNamedSteps, schemaOfNamedSteps } from './engine/named-steps'
import { WfEngine, type WfRunOptions } from './engine/wf-engine'
import { limitStep } from '../run'
import { handleWfOutletRequest, type WfOutletConfig } from '../trigger'
import { guardOf } from './step-guard'
import { getWfMate, WF_FLOW, WF_STEP, type WfHandlerMeta } from './wf-metadata'
import { withTtl } from './with-ttl'

/** Options of the workflow adapter. */
export interface MoostWfOptions extends TWooksWfOptions {
  /**
   * Where `@StepTTL` takes the time from.
   * @default the machine's clock
   */
  readonly clock?: Clock | undefined
}

/**
 * The Moost adapter for workflows: binds `@Workflow` and `@Step` methods and runs them. Its steps and
 * workflows are its own: of two apps in a process each runs what was registered with it.
 *
 * @example
 * ```ts
 * import { MoostWf } from '@atscript/moost-wf'
 * import { Moost } from 'moost'
 *
 * const app = new Moost()
 * const wf = app.adapter(new MoostWf())
 * await app.init()
 *
 * const output = await wf.start('auth/login', {})
 * if (!output.finished) await wf.resume(output.state, { input: { email: 'ada@example.com' } })
 * ```
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the public adapter
export class MoostWf<T = any, IR = any> implements TMoostAdapter<WfHandlerMeta> {
  readonly name = 'workflow'
  readonly #engine: WfEngine<T, IR>
  readonly #clock: Clock
  readonly #owners = new Map<string, string>()
  readonly #forms = new Map<string, readonly WfStepForm[]>()
  readonly #policies = new Map<string, WfStepPolicy>()
  readonly #flows: (() => void)[] = []

  /** @param options of the adapter, or a workflow app whose steps it should run beside its own */
  constructor(options: MoostWfOptions | WooksWf = {}) {
    const app = options instanceof WooksWf ? options : undefined
    const own: MoostWfOptions = options instanceof WooksWf ? {} : options
    this.#engine = new WfEngine(own, app?.getWooks())
    this.#clock = own.clock ?? systemClock
  }

  /** The workflow app underneath. */
  getWfApp(): WooksWf<T, IR> {
    return this.#engine
  }

  /** Watches every run. Spies are called synchronously and not awaited. Returns how to stop. */
  attachSpy<I>(fn: TWorkflowSpy<T, I, IR>): () => void {
    return this.#engine.attachSpy(fn)
  }

  detachSpy<I>(fn: TWorkflowSpy<T, I, IR>): void {
    this.#engine.detachSpy(fn)
  }

  /**
   * Starts a workflow and runs it up to its first pause or its end. Pass `eventContext: current()`
   * to let the steps use the composables of the event that you are in.
   *
   * @throws WfError `WF_UNKNOWN`
   */
  start<I>(schemaId: string, initialContext: T, opts?: WfRunOptions<I, T, IR>) {
    return this.#engine.start(schemaId, initialContext, opts)
  }

  /**
   * Goes on from a paused state. The state that is handed in stays as it is.
   *
   * @throws WfError `WF_UNKNOWN`, `WF_DEFINITION_CHANGED`
   */
  resume<I>(state: WfState & { context: T }, opts?: WfRunOptions<I, T, IR>) {
    return this.#engine.resume(state, opts)
  }

  /** Answers the HTTP request of this event: `handleWfOutletRequest` with this app's workflows. */
  handleOutlet<const N extends string>(config: WfOutletConfig<N>): Promise<unknown> {
    return handleWfOutletRequest(config, this)
  }

  /** The shape and the steps of a workflow; `undefined` when there is none of that id. */
  describe(schemaId: string): WfDescription | undefined {
    return this.#engine.describe(schemaId)
  }

  /**
   * Asks the interceptors of the step that a state waits at, and those of its workflow, whether it may run
   * here. Runs neither of the two.
   *
   * @throws what they refuse it with; WfError `WF_UNKNOWN`
   */
  guard(state: WfState, options: Pick<WfRunOptions, 'eventContext'> = {}): Promise<void> {
    return this.#engine.guard(state as WfState & { context: T }, options)
  }

  bindHandler<C extends TObject>(opts: TMoostAdapterOptions<WfHandlerMeta, C>): void {
    const forms = checkParams(opts)
    for (const handler of opts.handlers) {
      const path = handler.path ?? String(opts.method)
      const id = normalizeId(`${opts.prefix}/${path}`)
      if (handler.type === WF_STEP) this.#bindStep(id, opts, forms)
      if (handler.type === WF_FLOW) this.#bindFlow(id, opts)
    }
  }

  /** Flows are checked against the steps, so they are registered when all steps are known. */
  onInit(moost: Moost): void {
    assertInjected(moost)
    assertDecorators(moost)
    this.#engine.logTo(moost.getLogger('moost-wf'))
    for (const register of this.#flows.splice(0)) register()
    // At the first run a Worker may not make code any more.
    this.#engine.getWooks().getRouter().compile()
  }

  getProvideRegistry() {
    return createProvideRegistry(
      [MoostWf, () => this],
      [WooksWf, () => this.#engine],
      ['WooksWf', () => this.#engine],
    )
  }

  #bindStep<C extends TObject>(
    id: string,
    opts: TMoostAdapterOptions<WfHandlerMeta, C>,
    forms: readonly WfStepForm[],
  ): void {
    this.#claimId('Step', id, ownerOf(opts))
    this.#forms.set(id, forms)
    const { wfStepTTL: ttlMs, wfStepRetry: retry, wfDeadline: deadline } = metaOf(opts) ?? {}
    this.#policies.set(id, { retry, deadline })
    const whole = eventHandler(WF_STEP, id, opts)
    const handle = retry?.timeoutMs === undefined ? whole : limitStep(whole, retry.timeoutMs)
    const handler = ttlMs === undefined ? handle : withTtl(handle, ttlMs, this.#clock)
    this.#engine.step(id, { handler: handler as () => void }, guardOf(opts, id))
    opts.logHandler(`(${WF_STEP}) ${id}`)
  }

  #bindFlow<C extends TObject>(id: string, opts: TMoostAdapterOptions<WfHandlerMeta, C>): void {
    const owner = ownerOf(opts)
    this.#claimId('Workflow', id, owner)
    const {
      wfSchema,
      wfNamedSteps,
      wfMigrate: migrate,
      wfCarryOver: carryOver,
    } = metaOf(opts) ?? {}
    if (wfSchema && wfNamedSteps) {
      const problem = 'has both @WorkflowSchema and @WorkflowSteps'
      throw new WfError('WF_CONFIG', `Workflow "${id}" (${owner}) ${problem}.`)
    }
    if (!wfSchema && !wfNamedSteps) {
      throw new WfError('WF_CONFIG', `Workflow "${id}" (${owner}) has no @WorkflowSchema.`)
    }
    const init = eventHandler(WF_FLOW, id, opts)
    const formsOf = (stepId: string) => this.#forms.get(stepId) ?? []
    const policyOf = (stepId: string) => this.#policies.get(stepId)
    const guard = guardOf(opts, id)
    this.#flows.push(() => {
      try {
        const named = wfNamedSteps && readNamedSteps(wfNamedSteps)
        const schema = named ? schemaOfNamedSteps(named) : wfSchema!
        const policy = { migrate, carryOver, formsOf, policyOf, guard, named }
        this.#engine.flow(id, schema, normalizeId(opts.prefix), init, policy)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new WfError('WF_CONFIG', `Workflow "${id}" (${owner}): ${reason}`, { cause: error })
      }
      opts.logHandler(`(${WF_FLOW}) ${id}`)
    })
  }

  #claimId(kind: 'Step' | 'Workflow', id: string, owner: string): void {
    const key = `${kind} ${id}`
    const first = this.#owners.get(key)
    if (first) {
      throw new WfError('WF_CONFIG', `${kind} "${id}" is declared twice: ${first} and ${owner}.`)
    }
    this.#owners.set(key, owner)
  }
}

function eventHandler<C extends TObject>(
  handlerType: string,
  targetPath: string,
  opts: TMoostAdapterOptions<WfHandlerMeta, C>,
) {
  return defineMoostEventHandler<C>({
    loggerTitle: 'moost-wf',
    getIterceptorHandler: opts.getIterceptorHandler,
    getControllerInstance: opts.getInstance,
    controllerMethod: opts.method,
    controllerName: opts.controllerName,
    controllerPrefix: opts.prefix,
    resolveArgs: opts.resolveArgs,
    // The run's context ends the scope, so that all steps of a run share their FOR_EVENT instances.
    manualUnscope: true,
    targetPath,
    handlerType,
  })
}

/** Lets the parameters of a method say that they can never work. @returns the forms that they declare */
function checkParams<C extends TObject>(
  opts: TMoostAdapterOptions<WfHandlerMeta, C>,
): readonly WfStepForm[] {
  const forms: WfStepForm[] = []
  for (const { type, wfStartUpCheck } of metaOf(opts)?.params ?? []) {
    try {
      const form = wfStartUpCheck?.(type)
      if (form) forms.push(form)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new WfError('WF_CONFIG', `${ownerOf(opts)}: ${reason}`, { cause: error })
    }
  }
  return forms
}

function metaOf<C extends TObject>(opts: TMoostAdapterOptions<WfHandlerMeta, C>) {
  return getWfMate().read(opts.fakeInstance, opts.method as string)
}

function ownerOf<C extends TObject>(opts: TMoostAdapterOptions<WfHandlerMeta, C>): string {
  return `${opts.controllerName ?? 'a controller'}.${String(opts.method)}`
}
