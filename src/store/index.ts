export { WfLedgerMemory } from './wf-ledger-memory'
export { WfStateStoreMemory } from './wf-state-store-memory'
