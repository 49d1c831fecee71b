import { WfError } from '../errors'
import {
  isRecord,
  isRefusal,
  newFlow,
  type WfBeginOptions,
  type WfClaim,
  type WfFormAnswer,
  type WfState,
  withNotes,
} from '../state'
import type { NamedStrategy } from '../strategies'
import { answerToKeep } from './answer-to-keep'
import { formsAt } from './asked-form'
import { askerOf } from './asker'
import type { TakenOver } from './carry-over'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import { checkFirstForm } from './first-form'
import { Rejection, rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest, RunStarter } from './run-request'
import { isHiddenFrom, KeyTaken, type StartKey } from './start-key'
import { countStart } from './start-limit'

// An app without `describe` looks ids up in a router, which decodes and cuts them. Such an id could
// run a blocked workflow under another name.
const IN_DISGUISE = /[%?#\\\p{Cc}]|(?:^|\/)\.{1,2}(?:\/|$)/u

const FIRST = [0]

/**
 * Begins a new flow of the workflow that is named.
 *
 * @param submit the same request with its input unwrapped
 */
export async function beginRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  { wfid, strategy }: RunRequest,
  submit: WfFormAnswer,
  starter: RunStarter,
  carried: Readonly<Record<string, unknown>> = {},
): Promise<OpenRun> {
  const { startLimit, ledger, clock } = config
  if (wfid === undefined) throw new Rejection('WF_BAD_REQUEST', { message: 'Name a workflow.' })
  if (deps.describe ? !deps.describe(wfid) : IN_DISGUISE.test(wfid)) {
    throw new Rejection('WF_UNKNOWN')
  }
  if (!config.allows(wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  const actor = await starter.actor()
  if (startLimit && ledger) {
    await countStart(startLimit, { ledger, clock }, actor, () => starter.client())
  }
  const key = starter.key?.(wfid)
  const isHidden = isHiddenFrom(key, actor)
  if (isHidden) await checkFirstForm(config, deps, wfid, submit)
  const initial = await starter.initialContext(wfid)
  const context = isRecord(initial) ? { ...carried, ...initial } : initial
  const bare: WfState = { schemaId: wfid, indexes: [], context }
  const notes = { flow: newFlow(clock.now(), actor) }
  const { registry } = config
  const keeper = strategy === undefined ? registry.forWorkflow(wfid) : registry.named(strategy)
  const begin = {
    ...key,
    input: submit.input,
    action: submit.action,
    asker: () => askerOf({ ...starter, actor: () => actor }),
    keep: () => answerToKeep(submit, formsAt({ schemaId: wfid, indexes: FIRST }, deps)),
  }
  const claim = await beginIn(keeper, withNotes(bare, notes), begin, actor)
  const run = { claim, state: claim.state, strategyName: keeper.name, isNew: true, wfid, notes }
  return isHidden ? { ...run, isHidden } : run
}

/**
 * Begins a flow in a strategy.
 *
 * @throws Rejection if the strategy refuses, WfError `WF_CONFIG` for a key that it would not look at
 */
export async function beginIn(
  { name, strategy }: NamedStrategy,
  state: WfState,
  options: WfBeginOptions & Pick<StartKey, 'isHidden'> = {},
  actor?: string,
): Promise<WfClaim> {
  const { runKey } = options
  if (runKey !== undefined && !strategy.guarantees?.runKeys) {
    throw new WfError(
      'WF_CONFIG',
      `The strategy "${name}" does not keep one run per key: its guarantees.runKeys is not true.`,
    )
  }
  const claim = await strategy.begin(state, options)
  if (!isRefusal(claim)) return claim
  if (claim.refusal !== 'taken' || runKey === undefined) {
    throw rejectionOf({ reason: claim.refusal })
  }
  throw new KeyTaken({ ...options, runKey }, claim.owner, { actor, wfid: state.schemaId, name })
}

/** Starts a fresh flow with what an expired one has left. */
export async function beginWith(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  submit: WfFormAnswer,
  starter: RunStarter,
  carriedOver: TakenOver,
): Promise<OpenRun> {
  try {
    const { wfid, context } = carriedOver
    const run = await beginRun(config, deps, { ...request, wfid }, submit, starter, context)
    return { ...run, carriedOver }
  } catch (error) {
    await carriedOver.giveBack()
    throw error
  }
}
