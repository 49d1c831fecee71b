import { EventContext, type EventContextOptions, routeParamsKey } from '@wooksjs/event-core'
import { resumeKey } from '@wooksjs/event-wf'
import {
  registerEventScope,
  setControllerContext,
  setInterceptResult,
  setOvertake,
  useScopeId,
} from 'moost'
import { type WfRun, wfRunKey } from './wf-run'

/**
 * Stands between the event that starts a run and the run. An event context writes *through* to a
 * parent that already holds the slot, so a run on the bare HTTP context would replace the request's
 * route params and controller, and unregister its scope. This one owns those slots; everything
 * else, such as cookies and headers, is read from the parent.
 */
export class RunContext extends EventContext {
  readonly #isolating: boolean
  readonly #unscope: () => void

  constructor(options: EventContextOptions, run: WfRun) {
    super(options)
    this.#isolating = true
    this.setOwn(wfRunKey, run)
    this.setOwn(routeParamsKey, {})
    this.setOwn(resumeKey, false)
    setOvertake(undefined as never, this)
    setInterceptResult(undefined, this)
    setControllerContext({}, '' as never, '', { ctx: this, prefix: '' })
    this.#unscope = registerEventScope(useScopeId(this))
    this.#isolating = false
  }

  /** Ends the run's injection scope. */
  close(): void {
    this.#unscope()
  }

  override _shouldTraverseParent(): boolean {
    return !this.#isolating
  }
}
