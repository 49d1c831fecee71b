export { WfError, type WfErrorCode } from './errors'
export {
  MoostWf,
  type MoostWfOptions,
  Step,
  StepRetriableError,
  StepTTL,
  type TWorkflowSchema,
  useWfState,
  type WfCheckpoint,
  type WfRunOptions,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from './moost'
export type { Clock, WfDescription, WfState, WfStepPosition } from './state'
