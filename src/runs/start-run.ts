import { WfError } from '../errors'
import { assertRunKey, type OpenRun } from '../run'
import {
  newFlow,
  normalizeId,
  type WfOnConflict,
  type WfRunStore,
  type WfState,
  type WfStoredRun,
  withNotes,
} from '../state'
import type { RunsOf } from '../worker'

/** How a run is started that goes on by itself. */
export interface WfStartRunOptions {
  /** What its first step is given. */
  readonly input?: unknown
  /** @default an empty one */
  readonly context?: unknown
  /** Who starts it. */
  readonly actor?: string | undefined
  /** There may be one active run with this key, of at most 200 characters; each tenant has its own. */
  readonly runKey?: string | undefined
  /**
   * What becomes of this start if another run has the key. `reject`: it is refused. `join`: it comes to
   * that run. `supersede`: that run is cancelled, whoever works on it, and this one has its key. A run of
   * another workflow is neither joined nor superseded.
   *
   * @default 'reject'
   */
  readonly onConflict?: WfOnConflict | undefined
  /** What it belongs to, to find it by. */
  readonly correlationId?: string | undefined
  /** What else you want to know of it, as JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Start it in this transaction of the same database: it goes on once that is committed. */
  readonly transaction?: object | undefined
}

/** A run that was started, or joined. */
export interface WfStartedRun {
  readonly flowId: string
  /** `false`: it is the one that had the key already. */
  readonly created: boolean
}

/** A run that is there from now on, and, unless others look after it, is to be begun here. */
export interface AcceptedRun extends WfStartedRun {
  readonly open?: OpenRun
}

/**
 * Writes a run that will be begun.
 *
 * @throws WfError `WF_UNKNOWN`, `WF_NOT_ALLOWED`, `WF_STATE_INVALID`, `WF_ALREADY_ACTIVE` with the id of
 * the run that has the key
 */
export async function acceptRun(
  { config, deps, keeper }: RunsOf,
  wfid: string,
  { input, context = {}, transaction: _transaction, ...options }: WfStartRunOptions,
  within: WfRunStore | undefined,
): Promise<AcceptedRun> {
  const schemaId = normalizeId(wfid)
  if (deps.describe && !deps.describe(schemaId)) {
    throw new WfError('WF_UNKNOWN', `There is no workflow "${schemaId}".`)
  }
  if (!config.allows(schemaId)) {
    throw new WfError('WF_NOT_ALLOWED', `The workflow "${schemaId}" is not allowed here.`)
  }
  const { name, strategy } = keeper
  const notes = { flow: newFlow(config.clock.now(), options.actor) }
  const state: WfState = withNotes({ schemaId, indexes: [], context }, notes)
  const answer = input === undefined ? undefined : { input }
  if (options.runKey !== undefined) assertRunKey(options.runKey)
  const taken = await strategy.manage.create(state, { ...options, input: answer, within })
  if ('owner' in taken) return joined(taken.owner, schemaId, options)
  const { flowId } = notes.flow
  if (within) return { flowId, created: true }
  const claim = strategy.manage.begun(taken.held, { input: answer, actor: options.actor })
  const open = { claim, state: claim.state, strategyName: name, isNew: true, wfid: schemaId, notes }
  return { flowId, created: true, open: { ...open, isUnasked: true } }
}

/** A key that is taken, by which run. */
export class WfAlreadyActive extends WfError {
  constructor(
    /** The run that has the key. */
    readonly flowId: string,
  ) {
    super('WF_ALREADY_ACTIVE', 'There is an active run with this key.')
  }
}

function joined(
  { flowId, schemaId }: WfStoredRun,
  wfid: string,
  { onConflict }: WfStartRunOptions,
): AcceptedRun {
  if (onConflict === 'join' && schemaId === wfid) return { flowId, created: false }
  throw new WfAlreadyActive(flowId)
}
