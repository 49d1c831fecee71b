import {
  EventContext,
  type EventContextOptions,
  type EventKindSeeds,
  getContextInjector,
  routeParamsKey,
  run as within,
} from '@wooksjs/event-core'
import { resumeKey, wfKind } from '@wooksjs/event-wf'
import {
  registerEventScope,
  setControllerContext,
  setInterceptResult,
  setOvertake,
  useScopeId,
} from 'moost'
import { type WfRun, wfRunKey } from './wf-run'

/**
 * The event of a run. A context writes *through* to a parent that already holds the slot, so a run on
 * a plain child of the HTTP event would replace the request's route params and controller, and
 * unregister its scope. This one owns those slots; everything else, such as cookies and headers, is
 * read from the parent.
 */
export class RunContext extends EventContext {
  readonly #isolating: boolean
  readonly #unscope: () => void

  constructor(options: EventContextOptions, run: WfRun, seeds: EventKindSeeds<typeof wfKind>) {
    super(options)
    this.#isolating = true
    this.seed(wfKind, seeds)
    this.setOwn(wfRunKey, run)
    this.setOwn(routeParamsKey, {})
    this.setOwn(resumeKey, seeds.indexes !== undefined)
    setOvertake(undefined as never, this)
    setInterceptResult(undefined, this)
    setControllerContext({}, '' as never, '', { ctx: this, prefix: '' })
    this.#unscope = registerEventScope(useScopeId(this))
    this.#isolating = false
  }

  /** Begins the run. A tracer sees it as it sees every other event. */
  open<R>(work: () => R): R {
    const tracer = getContextInjector()
    if (!tracer) return within(this, work)
    return within(this, () => tracer.with('Event:start', { eventType: wfKind.name }, work))
  }

  /** Ends the run and its injection scope. */
  close(cleanup: (() => void) | undefined): void {
    try {
      if (cleanup) within(this, cleanup)
    } finally {
      this.#unscope()
    }
  }

  override _shouldTraverseParent(): boolean {
    return !this.#isolating
  }
}
