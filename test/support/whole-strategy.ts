import { randomUUID } from 'node:crypto'
import {
  type Clock,
  isRefusal,
  notesOf,
  type WfBeginOptions,
  type WfClaim,
  type WfClaimOptions,
  type WfDeliver,
  type WfOutletMessage,
  type WfPaused,
  type WfPauseOptions,
  type WfPeek,
  type WfRefusal,
  type WfReissued,
  type WfReissueOptions,
  type WfResult,
  type WfRetry,
  type WfState,
  type WfStateStrategy,
} from '../../src/state'

interface Run {
  json: string
  expiresAt: number | undefined
  isRunning: boolean
  readonly key?: string | undefined
  /** What was answered, until the first commit behind it. */
  answer?: unknown
}

export interface WholeStrategyOptions {
  /** Messages for others go out later. */
  readonly hasOutbox?: boolean
  /** A step that has failed is tried again after so many milliseconds. */
  readonly retryAfterMs?: number
  readonly heartbeatMs?: number
}

/**
 * All that a strategy can say by the contract of claims, in memory. A run lives on while its process
 * does not: what was committed last is what is gone on from.
 */
export class WholeStrategy implements WfStateStrategy {
  readonly guarantees = { singleUse: true, revocable: true, stays: true, runKeys: true }
  readonly outbox: { readonly message: WfOutletMessage | undefined; readonly token: string }[] = []
  readonly results: WfResult[] = []
  readonly claimedWith: Omit<WfClaimOptions, 'admit' | 'identify' | 'keep' | 'asker'>[] = []
  beats = 0
  handedOver = 0
  readonly #runs = new Map<string, Run>()

  constructor(
    private readonly clock: Clock,
    private readonly options: WholeStrategyOptions = {},
  ) {}

  async persist(
    state: WfState,
    { ttl = Infinity }: { ttl?: number | undefined } = {},
    { handle = randomUUID() }: { handle?: string | undefined } = {},
  ): Promise<string> {
    this.#keep(handle, state, this.#endOf({ ttl }))
    return handle
  }

  async retrieve(token: string): Promise<WfState | null> {
    const peek = this.peek(token)
    return isRefusal(peek) ? null : peek.state
  }

  async consume(token: string): Promise<WfState | null> {
    const peek = this.peek(token)
    this.#runs.delete(token)
    return isRefusal(peek) ? null : peek.state
  }

  peek(token: string): WfPeek | WfRefusal {
    const run = this.#runs.get(token)
    if (!run) return { refusal: 'gone' }
    if (run.isRunning) return { refusal: 'busy' }
    const { expiresAt } = run
    const found = { state: JSON.parse(run.json) as WfState, expiresAt }
    return expiresAt !== undefined && expiresAt <= this.clock.now()
      ? { refusal: 'expired', found }
      : found
  }

  begin(state: WfState, { runKey }: WfBeginOptions): WfClaim | WfRefusal {
    const isTaken = [...this.#runs.values()].some(({ key }) => key !== undefined && key === runKey)
    if (isTaken) return { refusal: 'taken' }
    const id = randomUUID()
    const run = this.#keep(id, state, undefined, runKey)
    run.isRunning = true
    return this.#claimOn(id, run, state)
  }

  claim(
    token: string,
    { admit, identify: _identify, keep: _keep, asker: _asker, ...asked }: WfClaimOptions,
  ): WfClaim | WfRefusal {
    const peek = this.peek(token)
    const refusal = isRefusal(peek) ? peek : admit(peek)
    if (refusal) return refusal
    const run = this.#runs.get(token)!
    run.isRunning = true
    run.answer = asked.input
    this.claimedWith.push(asked)
    return this.#claimOn(token, run, (peek as WfPeek).state)
  }

  async reissue(flowId: string, { admit, deliver }: WfReissueOptions): Promise<WfReissued | null> {
    const [token, run] = [...this.#runs].find(([, { json }]) => flowOf(json) === flowId) ?? []
    const { expiresAt, json } = run ?? {}
    const next = run?.isRunning === false && admit({ state: JSON.parse(json!), expiresAt })
    if (!token || !run || !next) return null
    const fresh = randomUUID()
    this.#runs.delete(token)
    this.#keep(fresh, next.state, next.expiresAt, run.key)
    try {
      await deliver(fresh, next.expiresAt)
    } catch (error) {
      if (this.#runs.delete(fresh)) this.#runs.set(token, run)
      throw error
    }
    return {}
  }

  /** As if the process had died: what was running can be claimed again, with what had been answered. */
  crash(): { readonly token: string; readonly answer: unknown }[] {
    const left = [...this.#runs].filter(([, run]) => run.isRunning)
    for (const [, run] of left) run.isRunning = false
    return left.map(([token, { answer }]) => ({ token, answer }))
  }

  #claimOn(token: string, run: Run, state: WfState): WfClaim {
    const commit = (next: WfState) => {
      run.json = JSON.stringify(next)
      run.answer = undefined
    }
    const release = () => {
      run.isRunning = false
    }
    const end = () => {
      this.#runs.delete(token)
    }
    return {
      state,
      expiresAt: run.expiresAt,
      heartbeatMs: this.options.heartbeatMs,
      checkpoint: commit,
      heartbeat: () => {
        this.beats++
      },
      pause: (next, options, deliver) => this.#pause(token, run, next, options, deliver),
      stay: next => {
        try {
          commit(next)
        } finally {
          release()
        }
      },
      finish: result => {
        this.results.push(result)
        end()
      },
      handOver: () => {
        this.handedOver++
        end()
      },
      fail: (): WfRetry | void => {
        const { retryAfterMs } = this.options
        if (retryAfterMs === undefined) return release()
        return { retryAt: this.clock.now() + retryAfterMs }
      },
      release,
    }
  }

  async #pause<T>(
    token: string,
    run: Run,
    next: WfState,
    options: WfPauseOptions,
    deliver: WfDeliver<T>,
  ): Promise<WfPaused<T>> {
    const fresh = randomUUID()
    const expiresAt = this.#endOf(options)
    this.#keep(fresh, next, expiresAt, run.key)
    if (this.options.hasOutbox && options.audience === 'out-of-band') {
      this.#runs.delete(token)
      this.outbox.push({ message: options.message, token: fresh })
      return { outcome: 'queued' }
    }
    try {
      const delivered = await deliver(fresh, expiresAt)
      this.#runs.delete(token)
      return { outcome: 'delivered', delivered }
    } catch (error) {
      if (!this.#runs.delete(fresh)) {
        this.#runs.delete(token)
        return { outcome: 'stands', error }
      }
      run.isRunning = false
      throw error
    }
  }

  #keep(id: string, state: WfState, expiresAt: number | undefined, key?: string): Run {
    const run: Run = { json: JSON.stringify(state), expiresAt, isRunning: false, key }
    this.#runs.set(id, run)
    return run
  }

  #endOf({ ttl = Infinity, atMost = Infinity }: Partial<WfPauseOptions>): number | undefined {
    const lifetime = Math.min(ttl, atMost)
    return lifetime === Infinity ? undefined : this.clock.now() + lifetime
  }
}

const flowOf = (json: string) => notesOf(JSON.parse(json) as WfState)?.flow.flowId
