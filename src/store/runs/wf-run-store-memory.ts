import { WfError } from '../../errors'
import {
  canGoOn,
  type Clock,
  isEnd,
  systemClock,
  type WfDueRun,
  type WfHeldRun,
  type WfLinksUntil,
  type WfNewRun,
  type WfRunChange,
  type WfRunClaimOptions,
  type WfRunEvent,
  type WfRunLink,
  type WfRunPageQuery,
  type WfRunStore,
  type WfStoredRun,
} from '../../state'
import { wholeTime } from '../rows/expiry'
import { lossOf } from './lost-holder'
import { planBeginning, planChange, type PlannedChange } from './plan-change'
import { noOutbox } from './run-outbox'
import { RunOutboxMemory } from './run-outbox-memory'
import { mayMissSignal, noSignals } from './run-signals'
import { RunSignalsMemory } from './run-signals-memory'

/** Options of {@link WfRunStoreMemory}. */
export interface WfRunStoreMemoryOptions {
  /** @default the machine's */
  readonly clock?: Clock | undefined
  /**
   * Whether messages to someone else are kept, and delivered behind the pause that they announce.
   * @default false
   */
  readonly outbox?: boolean | undefined
  /** Whether runs can get signals. @default true */
  readonly signals?: boolean | undefined
}

/**
 * Durable runs in this process, for tests and for trying them out: they end with it.
 *
 * @example
 * ```ts
 * import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
 * import { WfRunStoreMemory } from '@atscript/moost-wf/store'
 *
 * const strategy = new DurableStateStrategy({ runs: new WfRunStoreMemory() })
 * ```
 */
export class WfRunStoreMemory implements WfRunStore {
  readonly clock: Clock
  readonly outbox: RunOutboxMemory | undefined
  readonly signals: RunSignalsMemory | undefined
  readonly #runs = new Map<string, WfStoredRun>()
  readonly #events = new Map<string, WfRunEvent[]>()
  readonly #links = new Map<string, WfRunLink>()

  constructor({
    clock = systemClock,
    outbox = false,
    signals = true,
  }: WfRunStoreMemoryOptions = {}) {
    this.clock = clock
    this.outbox = outbox ? new RunOutboxMemory(clock) : undefined
    const count = (run: WfStoredRun, isDue: boolean) => this.#countSignal(run, isDue)
    this.signals = signals ? new RunSignalsMemory(clock, count) : undefined
  }

  async begin(fresh: WfNewRun, change: WfRunChange): Promise<WfHeldRun | null> {
    const planned = planBeginning(fresh, change, wholeTime(this.clock))
    const isKeyTaken = fresh.runKey !== undefined && this.#withKey(fresh.runKey) !== undefined
    if (this.#runs.has(fresh.flowId) || isKeyTaken) return null
    return this.#write(planned, change)
  }

  async supersede(
    former: WfHeldRun,
    end: WfRunChange,
    fresh: WfNewRun,
    change: WfRunChange,
  ): Promise<WfHeldRun | null> {
    const now = wholeTime(this.clock)
    const ended = planChange(former, end, now)
    const planned = planBeginning(fresh, change, now)
    const isAsSeen = this.#held(former)?.version === former.run.version
    if (!isAsSeen || this.#runs.has(fresh.flowId)) return null
    this.#write(ended, end)
    return this.#write(planned, change)
  }

  async find(flowId: string): Promise<WfStoredRun | null> {
    return copied(this.#runs.get(flowId))
  }

  async findByKey(runKey: string): Promise<WfStoredRun | null> {
    return copied(this.#withKey(runKey))
  }

  async findByLink(hash: string) {
    const link = this.#links.get(hash)
    const run = link && copied(this.#runs.get(link.flowId))
    return run ? { link, run } : null
  }

  async claim(
    seen: WfStoredRun,
    { owner, ms, answer, isOnlyChanged, isDue }: WfRunClaimOptions,
  ): Promise<WfHeldRun | null> {
    const run = this.#runs.get(seen.flowId)
    const isFree = run?.leaseUntil === undefined || run.leaseUntil <= this.clock.now()
    const isAsSeen = run?.version === seen.version && run.claimSeq === seen.claimSeq
    const isTime = !isDue || (run?.dueAt ?? Infinity) <= this.clock.now()
    if (!run || !isTime || !isFree || !isAsSeen || !canGoOn(run.status)) return null
    const lastStartedAt = wholeTime(this.clock)
    const next = { claimSeq: run.claimSeq + 1, lastStartedAt, ...lossOf(run, lastStartedAt) }
    const leaseUntil = this.clock.now() + ms
    const isAsItWas = isOnlyChanged && (run.status === 'paused' || run.dueAt === undefined)
    const dueAt = isAsItWas ? run.dueAt : leaseUntil
    const lease = { leaseOwner: owner, leaseUntil, dueAt }
    this.#runs.set(run.flowId, { ...run, ...next, ...lease, answer })
    return { run: { ...seen, ...next }, owner }
  }

  async renew(held: WfHeldRun, ms: number): Promise<boolean> {
    const run = this.#held(held)
    if (!run) return false
    const leaseUntil = this.clock.now() + ms
    this.#runs.set(run.flowId, { ...run, leaseUntil, dueAt: leaseUntil })
    return true
  }

  async release(held: WfHeldRun): Promise<boolean> {
    const run = this.#held(held)
    if (!run) return false
    const { answer, dueAt } = held.run
    const free = { leaseUntil: undefined, leaseOwner: undefined }
    const isDue = run.waitsFor !== undefined && run.signalSeq !== held.run.signalSeq
    const next = { answer, dueAt: isDue ? this.clock.now() : dueAt }
    this.#runs.set(run.flowId, { ...run, ...free, ...next })
    return true
  }

  async commit(held: WfHeldRun, change: WfRunChange): Promise<WfHeldRun | null> {
    const planned = planChange(held, change, wholeTime(this.clock))
    const run = this.#held(held)
    const isSignalled = run?.signalSeq !== held.run.signalSeq
    if (run?.version !== held.run.version || (change.unlessSignalled && isSignalled)) return null
    return this.#write(planned, change)
  }

  async due(limit: number): Promise<readonly WfDueRun[]> {
    const now = this.clock.now()
    return [...this.#runs.values()]
      .flatMap(({ flowId, schemaId, dueAt = Infinity }) =>
        dueAt <= now ? [{ flowId, schemaId, dueAt }] : [],
      )
      .toSorted((one, other) => one.dueAt - other.dueAt)
      .slice(0, limit)
  }

  async nextDue(withinMs: number): Promise<number | undefined> {
    const until = this.clock.now() + withinMs
    const moments = [...this.#runs.values()].flatMap(({ dueAt = Infinity }) =>
      dueAt <= until ? [dueAt] : [],
    )
    return moments.length > 0 ? Math.min(...moments) : undefined
  }

  async page({
    schemaId,
    status,
    correlationId,
    filter,
    limit,
    after,
  }: WfRunPageQuery): Promise<readonly WfStoredRun[]> {
    if (filter && Object.keys(filter).length > 0)
      throw new WfError('WF_CONFIG', 'Runs in memory have no columns to filter by.')
    const statuses = status === undefined ? undefined : [status].flat()
    return [...this.#runs.values()]
      .filter(
        run =>
          (schemaId === undefined || run.schemaId === schemaId) &&
          (correlationId === undefined || run.correlationId === correlationId) &&
          (statuses?.includes(run.status) ?? true) &&
          (!after || byStart(run, after) > 0),
      )
      .toSorted(byStart)
      .slice(0, limit)
      .map(run => copied(run)!)
  }

  async postpone(
    { flowId, version, claimSeq }: WfStoredRun,
    ms: number,
    lastError: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const run = this.#runs.get(flowId)
    const isDue = (run?.dueAt ?? Infinity) <= this.clock.now()
    if (run?.version !== version || run.claimSeq !== claimSeq || !isDue) return false
    this.#runs.set(flowId, { ...run, dueAt: this.clock.now() + ms, lastError })
    return true
  }

  async getMany(flowIds: readonly string[]): Promise<readonly WfStoredRun[]> {
    return [...new Set(flowIds)].flatMap(flowId => copied(this.#runs.get(flowId)) ?? [])
  }

  async removeEnded({
    endedUntil,
    limit = Infinity,
  }: {
    readonly endedUntil: number
    readonly limit?: number | undefined
  }): Promise<number> {
    const ended = [...this.#runs.values()]
      .filter(({ status, completedAt = Infinity }) => isEnd(status) && completedAt <= endedUntil)
      .slice(0, limit)
    for (const { flowId } of ended) {
      this.#runs.delete(flowId)
      this.#events.delete(flowId)
      this.signals?.forget(flowId)
    }
    const gone = new Set(ended.map(({ flowId }) => flowId))
    for (const [hash, { flowId }] of this.#links) if (gone.has(flowId)) this.#links.delete(hash)
    this.outbox?.removeOf(gone)
    return ended.length
  }

  async history(flowId: string): Promise<readonly WfRunEvent[]> {
    return structuredClone(this.#events.get(flowId) ?? [])
  }

  async links(flowId: string): Promise<readonly WfRunLink[]> {
    return [...this.#links.values()].filter(link => link.flowId === flowId)
  }

  async noteOpened(hash: string): Promise<void> {
    const link = this.#links.get(hash)
    if (!link) return
    const openedAt = Math.floor(this.clock.now())
    this.#links.set(hash, { ...link, opens: (link.opens ?? 0) + 1, openedAt })
  }

  /** The run, if nobody but its holder has written it. */
  #held({ run: { flowId, claimSeq }, owner }: WfHeldRun): WfStoredRun | undefined {
    const run = this.#runs.get(flowId)
    return run?.claimSeq === claimSeq && run.leaseOwner === owner ? run : undefined
  }

  #write(planned: PlannedChange, change: WfRunChange): WfHeldRun {
    const { run, events, links, messages } = planned
    const { lease, linksUntil, sendAgain = [] } = change
    if (messages.length + sendAgain.length > 0 && !this.outbox) throw noOutbox()
    this.outbox?.write(planned, change)
    const isSignalled = change.takenSignal !== undefined || change.signals !== undefined
    if (isSignalled && !this.signals) throw noSignals()
    this.signals?.write(run.flowId, change)
    const leaseUntil = lease && this.clock.now() + lease.ms
    const now = this.#runs.get(run.flowId)
    const former = lease?.isFresh ? now : undefined
    const held = former ?? { leaseUntil, dueAt: leaseUntil }
    const kept = lease ? { ...run, leaseUntil: held.leaseUntil, dueAt: held.dueAt } : run
    const { signalSeq = run.signalSeq } = now ?? {}
    const isMissed = !lease && mayMissSignal(run) && signalSeq !== run.signalSeq
    const dueAt = isMissed ? this.clock.now() : kept.dueAt
    this.#runs.set(run.flowId, copied({ ...kept, signalSeq, dueAt })!)
    this.#events.set(run.flowId, [
      ...(this.#events.get(run.flowId) ?? []),
      ...structuredClone(events),
    ])
    for (const link of links) this.#links.set(link.hash, link)
    if (linksUntil) this.#extend(run.flowId, linksUntil)
    return { run, owner: lease?.owner }
  }

  #countSignal({ flowId, version, signalSeq }: WfStoredRun, isDue: boolean): boolean {
    const run = this.#runs.get(flowId)
    if (run?.version !== version || run.signalSeq !== signalSeq) return false
    const dueAt = isDue ? this.clock.now() : run.dueAt
    this.#runs.set(flowId, { ...run, signalSeq: signalSeq + 1, dueAt })
    return true
  }

  #extend(flowId: string, { pauses, expiresAt }: WfLinksUntil): void {
    for (const [hash, link] of this.#links) {
      const isMeant = link.flowId === flowId && pauses.includes(link.pause)
      if (isMeant && (link.expiresAt ?? Infinity) < expiresAt)
        this.#links.set(hash, { ...link, expiresAt })
    }
  }

  #withKey(runKey: string): WfStoredRun | undefined {
    return [...this.#runs.values()].find(run => run.runKey === runKey)
  }
}

type Started = Pick<WfStoredRun, 'startedAt' | 'flowId'>

/** The latest first, and those of one moment by their ids. */
function byStart(one: Started, other: Started): number {
  if (one.flowId === other.flowId) return 0
  return other.startedAt - one.startedAt || (one.flowId < other.flowId ? -1 : 1)
}

/** As the databases do: everyone gets a copy. */
function copied(run: WfStoredRun | undefined): WfStoredRun | null {
  return run ? { ...run, state: structuredClone(run.state) } : null
}
