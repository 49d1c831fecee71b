import { swapStrategy, WfError, type WfRunResult } from '@atscript/moost-wf'
import type { WfRunStore, WfStoredRun } from '@atscript/moost-wf/store'
import { expect } from 'vitest'
import { sha256 } from '../../src/state'
import { withDigests } from '../../src/strategies/durable/history-detail'
import { RunSeal } from '../../src/strategies/durable/run-seal'
import { type DurableApp, LEASE_MS, openDurableApp, SECRET } from './durable-app'
import { replayHistory } from './replay-history'
import { doing, type Doing, HIDDEN, type Operation } from './run-operations'
import type { SharedRuns } from './run-stores'

type PlaceName = 'here' | 'elsewhere'
type Doings = Readonly<Record<'ask' | 'work' | 'last', Doing>>

const LASTING = ['completed', 'failed', 'cancelled']
const LAST_EVENTS = ['workflow_completed', 'workflow_failed', 'cancelled']
const seal = new RunSeal(undefined, new Uint8Array(SECRET))

/** A database, and the application on it, in a process that may die. */
interface Place {
  readonly runs: WfRunStore
  readonly open: () => Promise<DurableApp>
  app: DurableApp
}

/** Two databases, an application on each, and what operations leave there. */
export class RunWorld {
  readonly #places: Readonly<Record<PlaceName, Place>>
  readonly #clock: SharedRuns['clock']
  /** Those that were handed out, lost mails included. */
  readonly #tokens: string[]

  private constructor(
    places: Readonly<Record<PlaceName, Place>>,
    clock: SharedRuns['clock'],
    tokens: string[],
  ) {
    this.#places = places
    this.#clock = clock
    this.#tokens = tokens
  }

  /** @param clock of both */
  static async open(
    { here, elsewhere }: Readonly<Record<PlaceName, WfRunStore>>,
    clock: SharedRuns['clock'],
    checkpoint: 'step' | 'pause',
  ) {
    const tokens: string[] = []
    const mail = {
      name: 'email',
      tokenDelivery: 'out-of-band' as const,
      deliver: async ({ target }: { target?: unknown }, token: string) => {
        tokens.push(token)
        if (target === 'nobody@example.com') throw new Error('no mail today')
      },
    }
    const placeOn = async (runs: WfRunStore): Promise<Place> => {
      const strategy = { checkpoint, defaultTtl: 6 * LEASE_MS, maxRecoveries: 1 }
      const options = { strategy, config: { outlets: [mail] } }
      const open = () => openDurableApp({ runs, clock }, options)
      return { runs, open, app: await open() }
    }
    const places = { here: await placeOn(here), elsewhere: await placeOn(elsewhere) }
    return new RunWorld(places, clock, tokens)
  }

  async perform(operation: Operation): Promise<void> {
    if (operation.kind === 'wait') return this.#clock.advance(operation.ms)
    const place = this.#places[operation.place]
    const { app, runs } = place
    const died = 'doings' in operation ? this.#let(app, operation.doings) : NEVER
    const work = this.#perform(operation, app, runs)
    work.catch(() => {})
    try {
      if ((await Promise.race([work, died])) === DEAD) place.app = await place.open()
    } catch (error) {
      if (!isExpected(error)) throw error
    }
  }

  async #perform(
    operation: Exclude<Operation, { kind: 'wait' }>,
    app: DurableApp,
    runs: WfRunStore,
  ): Promise<unknown> {
    const { kind } = operation
    if (kind === 'start') {
      return this.#note(await app.runner.start('shop/order', { runKey: operation.runKey }))
    }
    if (kind === 'start by itself') {
      const { context } = operation
      await app.api.start('shop/order', { context, input: { name: 'Ada' }, actor: 'ada' })
      return app.api.stop()
    }
    if (kind === 'move in') return this.#moveIn(app, operation.doings)
    if (kind === 'recover') {
      this.#clock.advance(operation.afterMs)
      return app.api.runDue()
    }
    const { which } = operation
    if (kind === 'answer') {
      const token = this.#tokens.at(which % Math.max(1, this.#tokens.length))
      return token && this.#answer(app, runs, token)
    }
    const { flowId, version, leaseOwner } = pick(await all(runs), which) ?? NOBODY
    if (kind === 'cancel') return app.api.cancel(flowId, { reason: 'a test' })
    if (kind === 'extend') return app.api.extend(flowId, { ttlMs: 7 * LEASE_MS })
    if (kind === 'update') return app.api.update(flowId, version, () => operation.context)
    // It would be tried again for seconds.
    if (kind === 'record' && leaseOwner) return undefined
    if (kind === 'record') return app.api.recordStepResult(flowId, 'elsewhere', { pin: HIDDEN })
    if (kind === 'retry') return app.durable.manage.retry(flowId)
    const snapshot = await app.api.getSnapshot(flowId)
    const other = operation.place === 'here' ? 'elsewhere' : 'here'
    return snapshot && this.#places[other].app.api.restore(snapshot, { schemaId: 'shop/order' })
  }

  async #moveIn(app: DurableApp, doings: Doings): Promise<void> {
    app.deeds.ask = doing({ ...doings.ask, outcome: 'asks' }, () => NEVER)
    const first = await app.runner.start('shop/order', { strategy: 'encapsulated' })
    const next = doing(doings.ask, () => NEVER)
    app.deeds.ask = context => {
      swapStrategy('durable')
      return next(context)
    }
    if (doings.ask.outcome === 'dies with its process' || first.kind !== 'paused') return
    this.#note(await app.runner.resume(first.token, { input: { name: 'Ada' } }))
  }

  /** What is refused leaves no trace. */
  async #answer(app: DurableApp, runs: WfRunStore, token: string): Promise<void> {
    const { run } = (await runs.findByLink(await sha256(rawOf(token)))) ?? {}
    const before = run && (await runs.history(run.flowId))
    const result = await app.runner.resume(token, { input: { name: 'Ada', note: 'hello' } })
    this.#note(result)
    const isRefused = result.kind === 'refused' && result.code !== 'WF_OUTLET_FAILED'
    // Whoever is too late may find that the run is given up on.
    const isTouched = run?.leaseOwner !== undefined || app.ran.length > 1
    if (run && isRefused && !isTouched) expect(await runs.history(run.flowId)).toEqual(before)
  }

  /** Steps do this from now on. @returns what is told when one of them dies */
  #let(app: DurableApp, doings: Doings): Promise<typeof DEAD> {
    app.ran.length = 0
    return new Promise(resolve => {
      const die = () => {
        resolve(DEAD)
        return NEVER
      }
      for (const step of ['ask', 'work', 'last'] as const) {
        app.deeds[step] = doing(doings[step], die)
      }
    })
  }

  #note(result: WfRunResult): void {
    if (result.kind === 'paused' && result.token.startsWith('durable.')) {
      this.#tokens.push(result.token)
    }
  }

  /** Compares each run with what its history says of it. @returns what has happened to them */
  async check(): Promise<readonly string[]> {
    const types: string[] = []
    for (const { app, runs } of Object.values(this.#places)) {
      for (const { flowId } of await all(runs)) types.push(...(await checkRun(runs, flowId)))
      for (const token of this.#tokens) await this.#checkLink(app, runs, rawOf(token))
    }
    return types
  }

  async #checkLink(app: DurableApp, runs: WfRunStore, raw: string): Promise<void> {
    const found = await runs.findByLink(await sha256(raw))
    if (!found) return
    const { link, run } = found
    const { status, pause } = replayHistory(await runs.history(run.flowId))
    const { expiresAt = Infinity } = link
    const isOpen = !LASTING.includes(status!) && link.pause === pause
    const isAlive = isOpen && expiresAt > this.#clock.now()
    expect('state' in (await app.durable.peek(raw)), `a link of pause ${link.pause}`).toBe(isAlive)
  }
}

/** The row is what the history says. @returns the types of its events */
async function checkRun(runs: WfRunStore, flowId: string): Promise<readonly string[]> {
  const run = (await runs.find(flowId))!
  const history = await runs.history(flowId)
  const { status, stepId, version, indexes, context, pause, until } = replayHistory(history)
  expect({ status, stepId, version, indexes, context }, flowId).toEqual({
    status: run.status,
    stepId: run.stepId,
    version: run.version,
    indexes: run.state.indexes,
    context: await withDigests(run.state.context, seal.digestFor(flowId)),
  })
  const types = history.map(({ type }) => type)
  expect(JSON.stringify([history, run.result, run.lastError]), types.join()).not.toContain(HIDDEN)
  const hasEnded = LASTING.includes(run.status)
  expect(run.completedAt !== undefined).toBe(hasEnded)
  if (hasEnded) expect(LAST_EVENTS).toContain(history.at(-1)?.type)
  if (run.status === 'completed' || run.status === 'cancelled') expect(run.answer).toBeUndefined()
  for (const link of await runs.links(flowId)) {
    if (until !== undefined && link.pause === pause) expect(link.expiresAt).toBe(until)
  }
  return types
}

const NEVER = new Promise<never>(() => {})
const DEAD = Symbol('its process has died')
const NOBODY = { flowId: 'nobody', version: 1, leaseOwner: undefined }
const rawOf = (token: string) => token.slice(token.indexOf('.') + 1)
const all = (runs: WfRunStore) => runs.page({ limit: 500 })
const pick = (runs: readonly WfStoredRun[], which: number) => runs[which % Math.max(1, runs.length)]

/** What operations may come to. Anything else is a bug. */
const CODES = ['WF_CONFLICT', 'WF_TRANSITION', 'WF_STATE_INVALID', 'WF_CONFIG', 'WF_ALREADY_ACTIVE']

function isExpected(error: unknown): boolean {
  if (error instanceof WfError) return CODES.includes(error.code)
  return error instanceof Error && error.message === HIDDEN
}
