import { useLogger } from '@wooksjs/event-core'
import {
  type OpenRun,
  Rejection,
  type RunTerm,
  settleUnasked,
  takeUpRun,
  type TakenUp,
} from '../run'
import { type DueItem, type DueOutcome, type DueSource, POSTPONE_MS } from './due-source'
import type { RunsOf } from './run-keeper'

/** Runs that go on by themselves: their process has died, or their moment has come. */
export class RunSource implements DueSource {
  readonly kind = 'run'
  readonly #runs: RunsOf
  readonly #actor: string

  /** @param actor who does it, in the history */
  constructor(runs: RunsOf, actor: string) {
    this.#runs = runs
    this.#actor = actor
  }

  async due(limit: number): Promise<readonly DueItem[]> {
    const due = await this.#runs.keeper.strategy.runs.due(limit)
    return due.map(({ flowId, dueAt }) => ({ id: flowId, dueAt }))
  }

  nextAt(withinMs: number): Promise<number | undefined> {
    return this.#runs.keeper.strategy.runs.nextDue(withinMs)
  }

  attend(flowId: string, term: RunTerm): Promise<DueOutcome> {
    const { config, deps, keeper } = this.#runs
    return this.#orLog(flowId, async () => {
      const asked = { strategy: keeper.name, flowId, actor: this.#actor, term }
      const taken = await takeUpRun(config, deps, asked)
      return taken.kind === 'refused' ? this.#leave(flowId, taken) : outcomeOf(taken)
    })
  }

  /** Goes on with a run that was started here. Never throws either. */
  goOn(run: OpenRun, term: RunTerm): Promise<DueOutcome> {
    const { config, deps } = this.#runs
    const { flowId } = run.notes.flow
    return this.#orLog(flowId, async () =>
      outcomeOf(await settleUnasked(config, deps, { ...run, term })),
    )
  }

  async #orLog(flowId: string, work: () => Promise<DueOutcome>): Promise<DueOutcome> {
    try {
      return await work()
    } catch (error) {
      // It was cancelled, or another has it: that is no failure.
      if (error instanceof Rejection) return 'taken'
      useLogger().error(`Run ${flowId} could not go on`, error)
      // A store that does not answer is tried again by the next look.
      await this.#putOff(flowId, 'WF_INTERNAL').catch(() => {})
      return 'failed'
    }
  }

  /** What is not for this build is kept, and named. */
  async #leave(
    flowId: string,
    { reason }: Extract<TakenUp, { kind: 'refused' }>,
  ): Promise<DueOutcome> {
    // Somebody else has it, or has ended it.
    if (OTHERS_HAVE_IT.includes(reason)) return 'taken'
    const code = reason === 'not-allowed' ? 'WF_NOT_ALLOWED' : 'WF_DEFINITION_CHANGED'
    await this.#putOff(flowId, code)
    useLogger().warn(`Run ${flowId} cannot go on in this build: ${reason}.`)
    return 'left'
  }

  /** What stays due must not hide the others that are. */
  async #putOff(flowId: string, code: string): Promise<void> {
    const { keeper, config } = this.#runs
    const { runs } = keeper.strategy
    const run = await runs.find(flowId, { everywhere: true })
    const at = Math.floor(config.clock.now())
    if (run) await runs.postpone(run, POSTPONE_MS, { code, at })
  }
}

function outcomeOf(taken: Exclude<TakenUp, { kind: 'refused' }>): DueOutcome {
  if (taken.kind === 'timed') return 'done'
  if (taken.kind !== 'settled') return taken.kind
  return taken.outcome.kind === 'retrying' ? 'failed' : 'done'
}

const OTHERS_HAVE_IT: readonly string[] = ['busy', 'gone', 'used', 'revoked']
