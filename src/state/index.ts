export { systemClock, type Clock } from './clock'
export { type Continuation, continuationOf, type WfDescriber } from './continuation'
export {
  flowMetaOf,
  newFlowMeta,
  withFlowMeta,
  type WfFlowMeta,
  type WfFlowProblem,
  withProblem,
} from './flow-meta'
export { isRecord } from './is-record'
export { randomId } from './random-id'
export { sha256 } from './sha256'
export { normalizeId } from './normalize-id'
export type { StartUpCheck } from './start-up-check'
export { stateToJson } from './state-to-json'
export { isStorable, isStorableText } from './storable-text'
export type {
  WfCarryOver,
  WfDescription,
  WfGroupPosition,
  WfMigrate,
  WfMigrated,
  WfPausedAt,
  WfStepPosition,
} from './wf-description'
export type { WfLedger, WfLedgerEntry, WfLedgerKind } from './wf-ledger'
export { isRefusal, type WfRefusal, type WfRefusalReason } from './wf-refusal'
export type { WfState } from './wf-state'
export type { WfSetOptions, WfStateStore, WfStoredState, WfTakeOptions } from './wf-state-store'
export type {
  WfAudience,
  WfClaim,
  WfClaimOptions,
  WfGuarantees,
  WfPauseOptions,
  WfPeek,
  WfStateStrategy,
} from './wf-state-strategy'
export {
  buriedToken,
  type BuriedToken,
  bury,
  findTombstone,
  type Tombstone,
  TOMBSTONE_TTL_MS,
} from './tombstone'
