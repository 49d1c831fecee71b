import type { WfOnConflict, WfRefusal } from '../state'
import { Rejection } from './rejection'

/** There may be one active run with this key. */
export interface StartKey {
  readonly runKey: string
  /** @default 'reject' */
  readonly onConflict?: WfOnConflict | undefined
  /** Whoever is not known must not learn whether a run has it. */
  readonly isHidden?: true | undefined
}

/** Another run has the key of a start. Whoever knows what to answer instead catches it. */
export class KeyTaken extends Rejection {
  constructor(
    readonly key: StartKey,
    /** The run that has it. */
    readonly owner: WfRefusal['owner'],
    /** Who wanted to start which workflow, in which strategy. */
    readonly start: {
      readonly actor: string | undefined
      readonly wfid: string
      readonly name: string
    },
  ) {
    super('WF_CONFLICT', { reason: 'taken' })
  }

  /** Whoever asks may know of the run that has the key, and it is one of this workflow. */
  get isJoined(): boolean {
    const { key, owner, start } = this
    const isTheirs = start.actor !== undefined && owner?.startedBy === start.actor
    const isFor = isTheirs || !key.isHidden
    return key.onConflict === 'join' && isFor && owner?.schemaId === start.wfid
  }

  /** Whoever asks must be answered as if they had started a run. */
  get isHidden(): boolean {
    return isHiddenFrom(this.key, this.start.actor) === true
  }
}

/** Whether whoever starts a run must not learn of another one with its key. */
export function isHiddenFrom(
  key: StartKey | undefined,
  actor: string | undefined,
): true | undefined {
  return (key?.isHidden === true && actor === undefined) || undefined
}
