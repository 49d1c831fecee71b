export { describeLedger } from './describe-ledger'
export { describeStateStrategy } from './describe-state-strategy'
export type {
  OpenedStrategy,
  OpenStrategy,
  StateStrategySuite,
  StrategyLacks,
} from './strategy/opened-strategy'
export { FakeClock } from './fake-clock'
export { mailScanner, type MailScannerOptions } from './mail-scanner'
export { race } from './race'
export type { LedgerLacks, LedgerSuite, OpenedLedger, OpenLedger } from './ledger/opened-ledger'
export { describeTable } from './describe-table'
export type { TableDatabase, TableLacks, TableSuite } from './table/table-database'
export { describeStateStore } from './describe-state-store'
export type { OpenedStore, OpenStore, StateStoreSuite, StoreLacks } from './store/opened-store'
export { describeRunStore } from './describe-run-store'
export type { OpenedRunStore, OpenRunStore, RunStoreSuite } from './runs/opened-run-store'
