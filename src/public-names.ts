import type { WfOutletRequest } from './outlets'
import type { WfTriggerDeps } from './run'
import type { WfOutletConfig, WfTokenOptions } from './trigger'

// The names that the public packages have for what is ours under another one.

/** {@link WfOutletConfig}, by its public name. */
export type WfOutletTriggerConfig = WfOutletConfig
/** {@link WfTriggerDeps}, by its public name. */
export type WfOutletTriggerDeps = WfTriggerDeps
/** {@link WfTokenOptions}, by its public name. */
export type WfOutletTokenConfig = WfTokenOptions
/** {@link WfOutletRequest}, by its public name. */
export type WfPauseRequest = WfOutletRequest
