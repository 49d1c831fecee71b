export type { WfRunEvent, WfRunEventType } from './wf-run-event'
export { type Awaitable, isAwaited, whenKnown } from './awaitable'
export { systemClock, type Clock } from './clock'
export { type Continuation, continuationOf, type WfDescriber } from './continuation'
export { checkDeadline, isStepName, type WfDeadline, type WfDeadlineOptions } from './deadline'
export { handedOn, handedOnSeat, type WfHandOver } from './handed-on'
export { isRecord } from './is-record'
export { isRetriedLater } from './is-retried-later'
export { JsonText } from './json-text'
export { changeableCopy, contextInJson, copyToKeep, jsonCopy, jsonCopyWith } from './json-copy'
export { holdsSecret, looksSecret } from './looks-secret'
export { randomId } from './random-id'
export { reachesPrototype } from './reaches-prototype'
export { sha256 } from './sha256'
export { assertSignalName } from './signal-name'
export { sleep } from './sleep'
export { newFlowId } from './new-flow-id'
export { unref } from './unref'
export { NoSuchStep } from './no-such-step'
export { normalizeId } from './normalize-id'
export type { StartUpCheck } from './start-up-check'
export { stateToJson } from './state-to-json'
export {
  resolveRetryPolicy,
  retryDelay,
  type WfRetryOptions,
  type WfRetryPolicy,
} from './retry-policy'
export { isStorable, isStorableText } from './storable-text'
export type {
  WfCarryOver,
  WfDescription,
  WfGroupPosition,
  WfMigrate,
  WfMigrated,
  WfPausedAt,
  WfStepPolicy,
  WfStepPosition,
} from './wf-description'
export type { WfFirstPause } from './wf-first-pause'
export type { WfOpenTransaction } from './wf-open-transaction'
export type { WfLedger, WfLedgerEntry, WfLedgerKind } from './wf-ledger'
export type { WfMovedState, WfMoveOptions, WfReissued, WfReissueOptions } from './wf-reissue'
export { isRefusal, type WfRefusal, type WfRefusalReason } from './wf-refusal'
export type { WfRowColumn } from './wf-row-column'
export type {
  WfMessageStatus,
  WfNewRunMessage,
  WfPutOffMessage,
  WfRunMessage,
  WfRunOutbox,
} from './wf-run-outbox'
export { assertTransition, canGoOn, isEnd, type WfRunStatus } from './wf-run-status'
export type {
  WfDueRun,
  WfHeldRun,
  WfLeaseOptions,
  WfLinksUntil,
  WfNewRun,
  WfNewRunEvent,
  WfRunChange,
  WfRunClaimOptions,
  WfNewRunLink,
  WfRunLink,
  WfRunCount,
  WfRunCountQuery,
  WfRunPageQuery,
  WfRunStore,
  WfStoredRun,
} from './wf-run-store'
export {
  judgePanel,
  mayAnswer,
  panelIn,
  recipientAt,
  seatOf,
  stanceOf,
  withAnswerOf,
  type WfPanel,
  type WfPanelOutcome,
  type WfPanelRule,
  type WfSeat,
  type WfSeatAnswer,
  type WfSeatCode,
  type WfStance,
} from './wf-panel'
export type { WfRunSignal, WfRunSignals } from './wf-run-signals'
export type { WfState } from './wf-state'
export type {
  WfDeadlineTimer,
  WfExpiryTimer,
  WfReminderTimer,
  WfReminding,
  WfTimer,
} from './wf-timer'
export type { WfFormAnswer, WfReadAnswer, WfStepForm } from './wf-step-form'
export type { WfSetOptions, WfStateStore, WfStoredState, WfTakeOptions } from './wf-state-store'
export type { WfGuarantees, WfStateStrategy } from './wf-state-strategy'
export type {
  WfAsker,
  WfAudience,
  WfBeginOptions,
  WfClaim,
  WfClaimOptions,
  WfDelayed,
  WfDeliver,
  WfFacts,
  WfOnConflict,
  WfOutletMessage,
  WfPaused,
  WfPauseOptions,
  WfPeek,
  WfProgress,
  WfReassigned,
  WfResult,
  WfRetry,
  WfSeatMessage,
  WfStayOptions,
  WfStepBehind,
  WfTakeUpOptions,
} from './wf-claim'
export {
  hasReadableNotes,
  isSamePause,
  newFlow,
  notesOf,
  type WfFlow,
  type WfFlowProblem,
  type WfNotes,
  type WfPause,
  type WfPausedForm,
  type WfRecipient,
  type WfPosition,
  withNotes,
  withProblem,
} from './wf-notes'
export { positionAt, positionBehind } from './position'
export { formatToken, parseToken, TOKEN_NAME, type WfToken } from './token'
export {
  formatVersionedHandle,
  handleIn,
  newVersion,
  parseVersionedHandle,
  rawTokenOf,
  versionOf,
  withoutVersion,
  withVersion,
} from './versioned-handle'
export {
  findWatch,
  findWatchEnd,
  noteWatch,
  noteWatchEnd,
  type WatchedPause,
  type WatchEnd,
  watchUntil,
} from './watch-note'
export {
  answeredOf,
  buriedToken,
  type BuriedToken,
  bury,
  findTombstone,
  isAnswered,
  type Tombstone,
  TOMBSTONE_TTL_MS,
  unbury,
  type WfAnswered,
} from './tombstone'
