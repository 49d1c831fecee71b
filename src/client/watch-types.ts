import type { WfFetch } from './exchange'

/**
 * What became of something that was sent to someone.
 *
 * `waiting`: nobody has answered yet. `answered`: somebody has, and the workflow goes on; `ended` follows
 * when it has ended. `expired`, `revoked`: nobody has answered, and nobody will by this link. `failed`: a step
 * has failed for good, or nobody has answered in time.
 */
export type WfWatchState = 'waiting' | 'answered' | 'ended' | 'failed' | 'expired' | 'revoked'

/** What is seen by a watch token. */
export interface WfWatched {
  readonly state: WfWatchState
  /** Since when, in milliseconds since 1970, where that is known. */
  readonly at?: number | undefined
  /** When what waits will expire. */
  readonly expiresAt?: number | undefined
}

/** Options of `watchWf`. */
export interface WfWatchOptions {
  /** The address of the endpoint, such as `/api/wf`. */
  readonly path: string
  /** The watch token: `response.watch` of what was sent. */
  readonly watch: string
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** @default globalThis.fetch */
  readonly fetch?: WfFetch | undefined
  /**
   * Milliseconds until the second look, more or less. Each later one comes half as late again.
   * @default 1000
   */
  readonly firstMs?: number | undefined
  /**
   * Milliseconds that there are at most between two looks.
   * @default 30000
   */
  readonly longestMs?: number | undefined
  /** Told when there is nothing more to see: the `forget` of a client that keeps the token. */
  readonly forget?: ((watch: string) => void) | undefined
}
