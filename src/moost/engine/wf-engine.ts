import { createStep, type TFlowOutput, type TStepHandler, type TWorkflowSchema } from '@prostojs/wf'
import { current } from '@wooksjs/event-core'
import { type TWfRunOptions, wfKind, WooksWf } from '@wooksjs/event-wf'
import { WfError } from '../../errors'
import type { WfDescription, WfState } from '../../state'
import { compileSchema } from './compile-schema'
import { describeSchema } from './describe-schema'
import { normalizeId } from '../../state'
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
  checkpoint?: WfCheckpoint
}

type Init = () => unknown

/**
 * The stock workflow app, mended: schemas are compiled, steps are wrapped, positions are checked and
 * each run has an event context of its own. Built on the public API of `@wooksjs/event-wf` alone.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- mirrors the defaults of the class it extends
export class WfEngine<T = any, IR = any> extends WooksWf<T, IR> {
  readonly #flows = new Map<string, WfDescription>()

  override step<I>(id: string, opts: { input?: I; handler: string | TStepHandler<T, I, IR> }) {
    const step = createStep<T, I, IR>(id, opts)
    const handler = wrapStep((context, input) => step.handle(context as T, input as I))
    return super.step(`/${normalizeId(id)}`, { handler: handler as TStepHandler<T, unknown, IR> })
  }

  override flow(id: string, schema: TWorkflowSchema<T>, prefix = '', init?: Init) {
    assertSchema(schema)
    const flowId = normalizeId(id)
    const compiled = compileSchema(schema)
    const description = describeSchema(flowId, compiled, prefix)
    for (const { stepId } of description.steps) this.#assertStep(stepId)
    this.wf.register(flowId, compiled, prefix)
    this.#flows.set(flowId, description)
    return this.on('WF_FLOW', `/${flowId}`, () => ({ id: flowId, init: init && withInput(init) }))
  }

  /** What this build knows about a workflow; `undefined` when it has none of that id. */
  describe(schemaId: string): WfDescription | undefined {
    return this.#flows.get(normalizeId(schemaId))
  }

  /** @throws WfError `WF_UNKNOWN` */
  override start<I>(schemaId: string, context: T, opts: WfRunOptions<I, T, IR> = {}) {
    const flow = this.#flowOf(schemaId)
    return this.#run<I>(flow.schemaId, opts, run => super.start<I>(flow.schemaId, context, run))
  }

  /**
   * Goes on from a paused state, or from a checkpoint. Works on a copy: the state that was handed in
   * stays as it was, whatever the steps do.
   *
   * @throws WfError `WF_UNKNOWN`, `WF_DEFINITION_CHANGED`
   */
  override resume<I>(
    state: Pick<WfState, 'schemaId' | 'indexes'> & { context: T },
    opts: WfRunOptions<I, T, IR> = {},
  ) {
    const { schemaId, hasPosition } = this.#flowOf(state.schemaId)
    if (!Array.isArray(state.indexes) || !hasPosition(state.indexes)) {
      throw new WfError(
        'WF_DEFINITION_CHANGED',
        `Workflow "${schemaId}" has no such position in this build.`,
      )
    }
    const copy = structuredClone({ schemaId, indexes: state.indexes, context: state.context })
    return this.#run<I>(schemaId, opts, run => super.resume<I>(copy, run))
  }

  async #run<I>(
    schemaId: string,
    opts: WfRunOptions<I, T, IR>,
    go: (opts: TWfRunOptions<I, T, IR>) => Promise<TFlowOutput<T, I, IR>>,
  ): Promise<TFlowOutput<T, I, IR>> {
    const { input, checkpoint, eventContext, spy, cleanup } = opts
    const run = new WfRun(schemaId, input, checkpoint)
    const context = new RunContext({ ...this.eventContextOptions, parent: eventContext }, run)
    try {
      const output = await go({
        eventContext: context,
        cleanup,
        spy: (...args) => {
          run.spy(...(args as Parameters<typeof run.spy>))
          spy?.(...args)
        },
      })
      return this.#withContinuations(output, opts)
    } finally {
      context.close()
    }
  }

  // The engine's own `resume` and `retry` lose the event context and this wrapper.
  #withContinuations<I>(output: TFlowOutput<T, I, IR>, opts: WfRunOptions<I, T, IR>) {
    const goOn = (input?: unknown) =>
      this.resume(output.state, { ...opts, input } as WfRunOptions<unknown, T, IR>)
    if (output.resume) output.resume = goOn
    if (output.retry) output.retry = goOn
    return output
  }

  #flowOf(schemaId: string): WfDescription {
    const flow = this.describe(schemaId)
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

/** The workflow's own method runs before the steps, on start and on resume, and sees the input too. */
function withInput(init: Init): () => Promise<void> {
  return async () => {
    const event = current()
    event.set(wfKind.keys.input, event.get(wfRunKey).input)
    raiseReturnedError(await init())
    event.set(wfKind.keys.input, undefined)
  }
}
