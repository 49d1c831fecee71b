export { StepRetriableError, type TFlowOutput, type TWorkflowSchema } from '@prostojs/wf'
export { useWfState, wfKind } from '@wooksjs/event-wf'
export { Deadline } from './decorators/deadline.decorator'
export { Step } from './decorators/step.decorator'
export { StepRetry } from './decorators/step-retry.decorator'
export { StepTTL } from './decorators/step-ttl.decorator'
export { Workflow } from './decorators/workflow.decorator'
export { WorkflowCarryOver } from './decorators/workflow-carry-over.decorator'
export { WorkflowMigration } from './decorators/workflow-migration.decorator'
export { WorkflowParam } from './decorators/workflow-param.decorator'
export { WorkflowSchema } from './decorators/workflow-schema.decorator'
export { WorkflowSteps } from './decorators/workflow-steps.decorator'
export { done, goTo, type WfContinuation, type WfDone, type WfGoTo } from './engine/continuation'
export type { WfNamedSteps } from './engine/named-steps'
export type { WfRunOptions } from './engine/wf-engine'
export type { WfCheckpoint } from './engine/wf-run'
export { MoostWf, type MoostWfOptions } from './moost-wf'
export type {
  WfCarryOver,
  WfDeadlineOptions,
  WfDescriber,
  WfDescription,
  WfGroupPosition,
  WfMigrate,
  WfMigrated,
  WfPausedAt,
  WfRetryOptions,
  WfRetryPolicy,
  WfStepPolicy,
  WfStepPosition,
} from '../state'
