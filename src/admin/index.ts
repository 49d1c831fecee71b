export { createWfAdminController, type WfAdminController } from './create-wf-admin-controller'
export type { WfAdminOptions } from './wf-admin-options'
export type { WfAdminQuery, WfAdminRowView, WfAdminStore, WfAdminStoredRow } from '../store'
export type { WfAdminJob } from './admin-jobs'
export type { WfResend } from './resend-flow'
export type { WfRecipient } from '../state'
export type { WfAdminRunDeed, WfAdminRunObstacle } from './runs/run-deeds'
export type { WfMessagePreview, WfMessageToPreview } from './runs/preview-message'
export type { WfAdminRunSelection } from './runs/run-selection'
export type { WfAdminRunState } from './runs/run-state'
export type { WfAdminTrendSpan } from './runs/show-trends'
export type {
  WfAdminAsked,
  WfAdminDeedPreview,
  WfAdminDeedStarted,
  WfAdminMessagePreview,
  WfAdminPerson,
  WfAdminQueued,
  WfAdminRun,
  WfAdminRunColumns,
  WfAdminRunCounts,
  WfAdminRunError,
  WfAdminRunFunnel,
  WfAdminRunEvent,
  WfAdminRunMessage,
  WfAdminRunPage,
  WfAdminRunStep,
  WfAdminRunTrends,
  WfAdminRunView,
  WfAdminStepCounts,
} from './runs/run-answers'
export type {
  WfAdminColumn,
  WfAdminColumns,
  WfAdminCounts,
  WfAdminExtended,
  WfAdminFlow,
  WfAdminGroup,
  WfAdminObstacle,
  WfAdminPage,
  WfAdminResent,
  WfAdminRow,
  WfAdminStep,
} from './admin-answers'
