import { WfError } from '../../errors'
import {
  type Awaitable,
  isRefusal,
  type WfAsker,
  type WfFormAnswer,
  type WfNewRunEvent,
  type WfPeek,
  type WfRefusal,
  type WfRunStore,
} from '../../state'
import { answeredAt, answeredBy, chosenBy } from './answer-detail'
import type { ResolvedDurableOptions } from './durable-options'
import { findByHandle } from './find-by-handle'
import { inTurn } from './in-turn'
import { isAnswerable, peekOf, refusalOf } from './link-refusal'
import { stepOf } from './run-note'

/** How an answer is accepted that others go on with. */
export interface AcceptAnswerOptions {
  /** Called first for the link of one of several people: finds out who answers. */
  identify?(peek: WfPeek): Awaitable<void>
  /** Asked before anything is written. */
  admit(peek: WfPeek): WfRefusal | null
  /** What of the answer may be kept, asked once it is admitted. */
  keep(): WfFormAnswer | undefined
  /** Who answers, asked once it is admitted. */
  asker(): Awaitable<WfAsker>
  /** Where it is written: a store within a transaction. */
  readonly within?: WfRunStore | undefined
}

/** An answer that counts from now on. */
export interface AcceptedAnswer {
  readonly flowId: string
}

/**
 * Accepts an answer without going on: the run is due, and whoever takes it up goes on with what was
 * answered.
 *
 * @throws WfError `WF_CONFIG` where nothing can be kept, `WF_NEEDS_REQUEST` for an answer that must not be
 */
export async function acceptAnswer(
  options: ResolvedDurableOptions,
  handle: string,
  how: AcceptAnswerOptions,
): Promise<AcceptedAnswer | WfRefusal> {
  if (!options.seal.canClose) {
    throw new WfError(
      'WF_CONFIG',
      'An answer that others go on with is kept, sealed: give the DurableStateStrategy a secret.',
    )
  }
  const { clock } = options.runs
  const accepting = () => accept(options, handle, how)
  // Within a transaction, the same would be read again.
  return how.within ? accepting() : inTurn(() => clock.now(), accepting)
}

async function accept(
  { runs, seal, owner, leaseMs }: ResolvedDurableOptions,
  handle: string,
  { identify, admit, keep, asker: askerOf, within = runs }: AcceptAnswerOptions,
): Promise<AcceptedAnswer | WfRefusal> {
  const found = await findByHandle(within, handle)
  if (isRefusal(found)) return found
  const peek = peekOf(found)
  const dead = await refusalOf(within, found)
  if (!dead && peek.seat !== undefined) await identify?.(peek)
  const refusal = dead ?? admit(peek)
  if (refusal) return refusal
  const { run } = found
  const { flowId } = run
  const taken: WfRefusal = { refusal: 'taken', found: peek }
  const earlier = await seal.openRequest(flowId, run.answer)
  if (earlier.answer !== undefined || !isAnswerable(run)) return taken
  const { seat } = found.link
  const kept = keep()
  if (!kept) throw mustNotBeKept()
  const answer = seat === undefined ? kept : { ...kept, seat, isTold: true as const }
  const asker = await askerOf()
  const sealed = await seal.closeRequest(flowId, { answer, asker })
  const held = await within.claim(run, { owner, ms: leaseMs, answer: sealed })
  if (!held) return taken
  const at = Math.floor(runs.clock.now())
  const detail = { ...chosenBy(answer.action), ...answeredAt(run.state, at) }
  const stepId = stepOf(run.state)
  const events: WfNewRunEvent[] =
    seat === undefined
      ? [{ type: 'answered', stepId, detail }]
      : await answeredBy(run.state, answer, at, seal.digestFor(flowId), asker.actor)
  const accepted = await within.commit(held, {
    events,
    actor: asker.actor,
    answer: sealed,
    lastError: null,
    isDue: true,
  })
  return accepted ? { flowId } : taken
}

function mustNotBeKept(): WfError {
  return new WfError(
    'WF_NEEDS_REQUEST',
    'This answer must not be kept, because it holds a secret or its form asks for one, or there is none: ' +
      "have it answered at an endpoint or by a runner's resume(), which go on with it at once.",
  )
}
