export { createWfAdminController, type WfAdminController } from './create-wf-admin-controller'
export type { WfAdminOptions } from './wf-admin-options'
export type { WfAdminQuery, WfAdminRowView, WfAdminStore, WfAdminStoredRow } from '../store'
export type { WfAdminJob } from './admin-jobs'
export type { WfResend } from './resend-flow'
export type { WfRecipient } from '../state'
export type {
  WfAdminQueued,
  WfAdminRun,
  WfAdminRunColumns,
  WfAdminRunError,
  WfAdminRunEvent,
  WfAdminRunMessage,
  WfAdminRunPage,
  WfAdminRunStep,
  WfAdminRunView,
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
