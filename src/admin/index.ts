export { createWfAdminController, type WfAdminController } from './create-wf-admin-controller'
export type { WfAdminOptions } from './wf-admin-options'
export type { WfAdminQuery, WfAdminRowView, WfAdminStore, WfAdminStoredRow } from '../store'
export type { WfAdminJob } from './admin-jobs'
export type { WfResend } from './resend-flow'
export type { WfRecipient } from '../state'
export type {
  WfAdminRun,
  WfAdminRunEvent,
  WfAdminRunMessage,
  WfAdminRunPage,
  WfAdminRunView,
} from './runs/run-answers'
export type {
  WfAdminColumn,
  WfAdminCounts,
  WfAdminFlow,
  WfAdminObstacle,
  WfAdminPage,
  WfAdminRow,
  WfAdminStep,
} from './admin-answers'
