import { WfError } from '../errors'
import { isRecord, type WfStepBehind } from '../state'

/** For how long a run rests. */
export interface WfDelayOptions {
  /** Milliseconds from now. */
  readonly ms?: number | undefined
  /** Milliseconds since the epoch, in place of that. */
  readonly until?: number | undefined
  /** Where a workflow of named steps goes on then. */
  readonly step?: string | undefined
}

/** When a run goes on, and where. */
export class DelayRequest {
  constructor(
    readonly time: Pick<WfDelayOptions, 'ms' | 'until'>,
    /** The position behind the step that has asked for it. */
    readonly indexes?: readonly number[],
    readonly behind?: WfStepBehind,
  ) {}
}

/** What a step returns that lets its run rest. */
export interface WfDelay {
  readonly inputRequired: object
  readonly step?: string | undefined
}

/**
 * Lets the run rest: this step is done, and the next one runs when the time has come. Only durable runs can,
 * and only where an application looks after them.
 *
 * @throws WfError `WF_CONFIG` unless it has either `ms` or `until`
 *
 * @example
 * ```ts
 * import { delay, outletEmail, Step, Workflow, WorkflowSchema } from '@atscript/moost-wf'
 *
 * class Order {
 *   @Workflow('order')
 *   @WorkflowSchema(['ship', 'rest', 'survey'])
 *   order() {}
 *
 *   @Step('rest')
 *   rest() {
 *     return delay({ ms: 3 * 24 * 60 * 60_000 })
 *   }
 *
 *   @Step('survey')
 *   survey() {
 *     return outletEmail('ada@example.com', 'survey')
 *   }
 * }
 * ```
 */
export function delay({ ms, until, step }: WfDelayOptions): WfDelay {
  const isOne = (ms === undefined) !== (until === undefined)
  if (!isOne || !Number.isSafeInteger(ms ?? until) || (ms ?? until ?? 0) < 0) {
    throw new WfError(
      'WF_CONFIG',
      'A delay has either ms or until: whole numbers of milliseconds from 0.',
    )
  }
  const inputRequired = new DelayRequest({ ms, until })
  return step === undefined ? { inputRequired } : { inputRequired, step }
}

export function isDelay(output: unknown): output is WfDelay & { inputRequired: DelayRequest } {
  return isRecord(output) && output.inputRequired instanceof DelayRequest
}

/** The same, with where the run goes on. */
export function delayedTo(
  { indexes, behind }: { readonly indexes: readonly number[]; readonly behind: WfStepBehind },
  { inputRequired: { time } }: { readonly inputRequired: DelayRequest },
): WfDelay {
  return { inputRequired: new DelayRequest(time, indexes, behind) }
}
