export type {
  Clock,
  WfDueRun,
  WfLedger,
  WfLedgerEntry,
  WfHeldRun,
  WfLeaseOptions,
  WfLedgerKind,
  WfMessageStatus,
  WfMovedState,
  WfMoveOptions,
  WfNewRun,
  WfNewRunEvent,
  WfNewRunMessage,
  WfOpenTransaction,
  WfPutOffMessage,
  WfRunChange,
  WfRunClaimOptions,
  WfRunEvent,
  WfRunEventType,
  WfRunLink,
  WfRunMessage,
  WfRunOutbox,
  WfRunSignal,
  WfRunSignals,
  WfRunStatus,
  WfRunStore,
  WfSetOptions,
  WfStateStore,
  WfStoredRun,
  WfStoredState,
  WfTakeOptions,
} from '../state'
export { AsWfLedger, type AsWfLedgerOptions } from './ledger/as-wf-ledger'
export type { WfLedgerCleanupOptions } from './ledger/sweep-ledger'
export { WfLedgerMemory } from './ledger/wf-ledger-memory'
export type {
  WfLedgerFilter,
  WfLedgerKeyQuery,
  WfLedgerTable,
  WfLedgerUpsert,
  WfStoredLedgerRow,
} from './ledger/wf-ledger-table'
export type { WfCleanupOptions, WfCleanupProgress } from './rows/cleanup-rows'
export type { WfHealOptions, WfHealProgress } from './rows/heal-rows'
export type { WfRowColumn } from '../state'
export type {
  WfColumnFilter,
  WfComparison,
  WfControls,
  WfCountByOptions,
  WfCountOptions,
  WfFilter,
  WfListOptions,
} from './rows/row-query'
export type { ShadowField, ShadowPrimitive } from './rows/shadow-field'
export type { WfStartCleanupOptions } from './rows/start-cleanup'
export type { WfRowId } from './rows/versioned-rows'
export type {
  WfAdminQuery,
  WfAdminRowView,
  WfAdminStore,
  WfAdminStoredRow,
} from './rows/wf-admin-store'
export type {
  WfCount,
  WfSql,
  WfTable,
  WfTableField,
  WfTableQuery,
  WfTableType,
  WfTableUpsert,
} from './rows/wf-table'
export { AsWfRunStore } from './runs/as-wf-run-store'
export type { AsWfRunStoreOptions, WfRunSpace } from './runs/as-wf-run-store-options'
export { WfRunStoreMemory, type WfRunStoreMemoryOptions } from './runs/wf-run-store-memory'
export { AsWfStore } from './states/as-wf-store'
export type { AsWfStoreOptions, ResolvedAsWfStoreOptions } from './states/as-wf-store-options'
export type { WfPausedReport, WfStrandedFlows } from './rows/stranded-flows'
export type { WfCheckPausedOptions } from './states/check-paused'
export type { WfRevokeOptions } from './states/revoke-rows'
export type { WfSetPayloadOptions } from './states/state-rows'
export type { WfListedRow, WfRowView, WfStoredRow } from './states/stored-row'
export type { WfRestoreOptions, WfSnapshot } from './states/wf-snapshot'
export { WfStateStoreMemory } from './states/wf-state-store-memory'
