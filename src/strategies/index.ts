export type { DurableStateStrategyOptions } from './durable/durable-options'
export type { CreateRunOptions } from './durable/create-run'
export { DurableStateStrategy } from './durable/durable-state-strategy'
export type { ManageRunOptions } from './durable/manage-run'
export type { OpenMessage } from './durable/outbox/open-message'
export type { RunMessages } from './durable/outbox/run-messages'
export type { WfRecoveryReason } from './durable/recovery-reason'
export { waitingTimesOf, type WfRunDeadline } from './durable/waiting-times'
export type { EncapsulatedStateStrategyOptions } from './encapsulated/encapsulated-options'
export {
  EncapsulatedStateStrategy,
  type WfTokenKey,
} from './encapsulated/encapsulated-state-strategy'
export { createJoseCipher } from './encapsulated/jose-cipher'
export { createNodeCipher } from './encapsulated/node-cipher'
export type { WfSecret } from './encapsulated/secret'
export type {
  TokenCipher,
  TokenCipherFactory,
  TokenCipherOptions,
} from './encapsulated/token-cipher'
export type { HandleStateStrategyOptions } from './handle/handle-options'
export { HandleStateStrategy } from './handle/handle-state-strategy'
export {
  type IssuedToken,
  type NamedStrategy,
  StrategyRegistry,
  type WfStateOption,
  type WfStrategyEntry,
  type WfStrategyRegistry,
} from './registry/strategy-registry'
