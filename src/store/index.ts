export { AsWfLedger, type AsWfLedgerOptions } from './as-wf-ledger'
export { AsWfStore } from './as-wf-store'
export type { WfSetPayloadOptions } from './as-wf-store-hooks'
export type { WfListOptions, WfRowView } from './as-wf-store-rows'
export type { AsWfStoreOptions, ResolvedAsWfStoreOptions } from './as-wf-store-options'
export type { RowAccess } from './row-access'
export type { WfRowId } from './row-actions'
export type { WfRowColumn } from './row-column'
export type { WfCleanupOptions, WfCleanupProgress } from './cleanup'
export type { WfRevokeOptions } from './revoke-rows'
export type { WfCheckPausedOptions, WfPausedReport, WfStrandedFlows } from './check-paused'
export type { WfHealOptions, WfHealProgress } from './heal'
export type { ShadowField, ShadowPrimitive } from './shadow-field'
export type { WfStartCleanupOptions } from './start-cleanup'
export type { WfSnapshot } from './wf-snapshot'
export type {
  WfCount,
  WfSql,
  WfStoredRow,
  WfTable,
  WfTableField,
  WfTableQuery,
  WfTableType,
  WfTableUpsert,
} from './wf-table'
export type { WfLedgerCleanupOptions } from './sweep-ledger'
export { WfLedgerMemory } from './wf-ledger-memory'
export type {
  WfLedgerFilter,
  WfLedgerKeyQuery,
  WfStoredLedgerRow,
  WfLedgerTable,
  WfLedgerUpsert,
} from './wf-ledger-table'
export { WfStateStoreMemory } from './wf-state-store-memory'
