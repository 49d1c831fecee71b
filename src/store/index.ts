export { AsWfLedger, type AsWfLedgerOptions } from './ledger/as-wf-ledger'
export { AsWfStore } from './states/as-wf-store'
export type { WfSetPayloadOptions } from './states/as-wf-store-hooks'
export type { WfListOptions, WfRowView } from './states/as-wf-store-rows'
export type { AsWfStoreOptions, ResolvedAsWfStoreOptions } from './states/as-wf-store-options'
export type { RowAccess } from './states/row-access'
export type { WfRowId } from './states/row-actions'
export type { WfRowColumn } from './rows/row-column'
export type { WfCleanupOptions, WfCleanupProgress } from './rows/cleanup-rows'
export type { WfRevokeOptions } from './states/revoke-rows'
export type { WfCheckPausedOptions, WfPausedReport, WfStrandedFlows } from './states/check-paused'
export type { WfHealOptions, WfHealProgress } from './rows/heal-rows'
export type { ShadowField, ShadowPrimitive } from './rows/shadow-field'
export type { WfStartCleanupOptions } from './rows/start-cleanup'
export type { WfSnapshot } from './states/wf-snapshot'
export type {
  WfCount,
  WfSql,
  WfStoredRow,
  WfTable,
  WfTableField,
  WfTableQuery,
  WfTableType,
  WfTableUpsert,
} from './rows/wf-table'
export type { WfLedgerCleanupOptions } from './ledger/sweep-ledger'
export { WfLedgerMemory } from './ledger/wf-ledger-memory'
export type {
  WfLedgerFilter,
  WfLedgerKeyQuery,
  WfStoredLedgerRow,
  WfLedgerTable,
  WfLedgerUpsert,
} from './ledger/wf-ledger-table'
export { WfStateStoreMemory } from './states/wf-state-store-memory'
