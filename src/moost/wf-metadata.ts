import type { TWorkflowSchema } from '@prostojs/wf'
import { getMoostMate } from 'moost'
import type { WfNamedSteps } from './engine/named-steps'
import type {
  StartUpCheck,
  WfCarryOver,
  WfDeadlineOptions,
  WfMigrate,
  WfRetryPolicy,
} from '../state'

/** What the workflow decorators note on a controller's method. */
export interface WfMethodMeta {
  wfSchema?: TWorkflowSchema<unknown>
  wfNamedSteps?: WfNamedSteps
  /** Under the name that the public adapter gives it: both read what either decorator has written. */
  wfStepTTL?: number
  wfStepRetry?: WfRetryPolicy
  wfDeadline?: WfDeadlineOptions
  wfMigrate?: WfMigrate
  wfCarryOver?: WfCarryOver
}

/** What `@Workflow` and `@Step` add to Moost's handler metadata. */
export interface WfHandlerMeta {
  path?: string | undefined
}

/** The kinds of handler that the workflow adapter binds. */
export const WF_FLOW = 'WF_FLOW'
export const WF_STEP = 'WF_STEP'

/** Moost's metadata store, typed for workflows. */
export function getWfMate() {
  return getMoostMate<WfMethodMeta, WfMethodMeta, StartUpCheck>()
}
