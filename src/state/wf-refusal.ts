import type { WfAnswered } from './tombstone'
import type { WfPeek } from './wf-claim'
import type { WfStoredRun } from './wf-run-store'

/** Why a token was not taken. The caller is told less; an `onReject` hook is told this. */
export type WfRefusalReason =
  /** Not a token that this registry could have issued. */
  | 'garbled'
  /** The strategy does not have it: never issued, used up, or removed after it expired. */
  | 'gone'
  | 'expired'
  | 'used'
  /** An older version of a token that has moved on. */
  | 'superseded'
  | 'revoked'
  /** It is bound to another browser. */
  | 'wrong-browser'
  /** It is for somebody who has to be signed in, or must not be answered by whoever is. */
  | 'wrong-user'
  /** It is for somebody who has to have a code as well, which was not there or was not right. */
  | 'code-needed'
  /** Another request holds it right now. */
  | 'busy'
  /** A step has failed behind it, and is tried again by itself. */
  | 'retrying'
  /** Another run has the key that this one should have. */
  | 'taken'
  /** Its workflow is not allowed at this endpoint. */
  | 'not-allowed'
  /** It belongs to another workflow than the one that was named. */
  | 'mismatch'
  /** This build cannot go on from where it paused. */
  | 'definition-changed'
  /** Nothing was answered, or nothing that its form takes: the form is shown, and nothing is taken. */
  | 'unanswered'

/** A token that is not taken is not an error: it is an answer with a reason. */
export interface WfRefusal {
  readonly refusal: WfRefusalReason
  /**
   * What the token stands for, or stood for, if it is one that was issued. Its holder may be told more
   * than a stranger.
   */
  readonly found?: WfPeek | undefined
  /** The token that has taken the place of a superseded one, for the same holder. */
  readonly current?: string | undefined
  /** The run that has the key, where it is known. */
  readonly owner?: Pick<WfStoredRun, 'flowId' | 'schemaId' | 'startedBy'> | undefined
  /** The form of a used link was answered, from a strategy that keeps its links. */
  readonly answered?: WfAnswered | undefined
}

/**
 * Tells a refusal from what was asked for.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 * import { isRefusal } from '@atscript/moost-wf/strategies'
 *
 * const strategy = new HandleStateStrategy({ store: new WfStateStoreMemory() })
 * const peek = await strategy.peek('some token')
 * if (isRefusal(peek)) console.log(peek.refusal)
 * ```
 */
export function isRefusal(value: object): value is WfRefusal {
  return 'refusal' in value
}
