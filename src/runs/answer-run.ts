import { WfError } from '../errors'
import {
  Admission,
  AnswerGate,
  assertCleanKeys,
  rejectionOf,
  unstorable,
  unwrapped,
  WhoAsks,
} from '../run'
import { isRefusal, isStorable, normalizeId, type WfFacts, type WfRunStore } from '../state'
import type { RunsOf } from '../worker'

/** What is answered, and by whom. */
export interface WfAnswerRunOptions {
  readonly input?: unknown
  readonly action?: string | undefined
  /** Who answers. */
  readonly actor?: string | undefined
  /** The code that whoever answers has got, where their link is worthless without one. */
  readonly code?: string | undefined
  /** What steps may need to know of the request, for `useWfFacts()`: an object of JSON. */
  readonly facts?: WfFacts | undefined
  /** What the browser has kept, for a link that works in one browser alone. */
  readonly browser?: string | undefined
  /** The workflow that it must be of, if that matters. */
  readonly wfid?: string | undefined
  /** Accept it in this transaction of the same database: the run goes on once that is committed. */
  readonly transaction?: object | undefined
}

/** A run whose pause was answered. */
export interface WfAnsweredRun {
  readonly flowId: string
}

/** What was answered is not what the form asks for. */
export class WfAnswerNotTaken extends WfError {
  constructor(
    /** What its form says about it. */
    readonly sentences: Readonly<Record<string, unknown>>,
  ) {
    super('WF_BAD_REQUEST', 'The form is not filled in as it asks.')
  }
}

/**
 * Accepts an answer through a link. The run goes on by itself.
 *
 * @throws Rejection for a link that cannot be answered, `WF_CONFLICT` if somebody has
 */
export async function answerRun(
  { config, deps, keeper }: RunsOf,
  token: string,
  { input, action, actor, code, facts, browser, wfid: named }: WfAnswerRunOptions,
  within: WfRunStore | undefined,
): Promise<WfAnsweredRun> {
  if (typeof input === 'object' && input !== null) assertCleanKeys(input)
  if (!isStorable([input, action])) throw unstorable()
  const found = config.registry.forToken(token)
  if (!found) throw rejectionOf({ reason: 'garbled' })
  const wfid = named === undefined ? undefined : normalizeId(named)
  const asked = { wfid, strategyName: keeper.name, browser }
  const admission = new Admission(config, deps, asked)
  const from = { actor: () => actor, facts: () => facts }
  const who = new WhoAsks(config, admission, { token: { text: token, issued: found }, code }, from)
  const gate = new AnswerGate(admission, deps, unwrapped({ input, action }), config.clock.now())
  const { admit, keep } = gate
  const { identify, asker } = who
  const how = { identify, admit, keep, asker, within }
  const answered = await keeper.strategy.manage.accept(found.raw, how)
  if (!isRefusal(answered)) return answered
  if (answered.refusal === 'code-needed') throw who.rejection
  if (gate.unanswered) throw new WfAnswerNotTaken(gate.unanswered.sentences)
  const { refusal: reason, found: peek, answered: earlier } = answered
  // What is told here is told to the application, and not to whoever has sent the link.
  throw rejectionOf({ reason, provenWfid: peek?.state.schemaId, answered: earlier })
}
