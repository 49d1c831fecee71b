export type { WfRunCount } from '../state'
export type { WfRunDeadline } from '../strategies'
export type {
  WfDueReport,
  WfOutboxOptions,
  WfQueue,
  WfRunDueOptions,
  WfWorkerOptions,
} from '../worker'
export { type WfAnsweredRun, WfAnswerNotTaken, type WfAnswerRunOptions } from './answer-run'
export type { WfResultOptions, WfRunEnd } from './await-result'
export type { WfRunCountByOptions } from './count-runs'
export { createWfRuns, type WfRunsConfig } from './create-wf-runs'
export type { WfRestoreRunOptions } from './restore-run'
export type { WfRunMessageContent } from './read-message'
export type { WfReassignOptions, WfResendOptions } from './resend'
export type { WfRunAsked, WfRunPerson } from './run-asked'
export type { WfRunMessageView } from './run-messages'
export type { WfReissuedLink, WfReissueRunOptions, WfRunLinkView } from './run-links'
export type { WfRunListOptions, WfRunPage } from './run-pages'
export type { WfResumePoint, WfRetryState, WfRunSnapshot, WfStepStatus } from './run-snapshot'
export type { WfRunRetryState, WfRunView } from './run-view'
export type { WfHistoryEntry } from './snapshot-history'
export { WfAlreadyActive, type WfStartedRun, type WfStartRunOptions } from './start-run'
export type {
  WfChangeRunOptions,
  WfEndRunOptions,
  WfInTransaction,
  WfRuns,
  WfStopOptions,
} from './wf-runs'
