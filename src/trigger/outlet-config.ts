import type { WfOutlet } from '../outlets'
import type { Clock, WfLedger, WfRefusalReason } from '../state'
import type { WfStateOption } from '../strategies'
import type { WfErrorCode } from '../errors'

/** Where a token can come from. */
export type WfTokenSource = 'body' | 'query' | 'cookie'

/** The cookie that carries a token. It is always `HttpOnly`. */
export interface WfTokenCookieOptions {
  /** @default the token's name */
  readonly name?: string
  /** @default '/' */
  readonly path?: string
  readonly domain?: string
  /** @default 'Lax' */
  readonly sameSite?: 'Lax' | 'Strict'
  /** @default true when the request came over TLS or `publicUrl` is https */
  readonly secure?: boolean
}

/** Where tokens come from and go to. */
export interface WfTokenOptions {
  /**
   * Where to look for the token, in this order.
   * @default ['body', 'query', 'cookie']
   */
  readonly read?: readonly WfTokenSource[]
  /**
   * Where the next token goes. A cookie is always `HttpOnly`, and the body then has no token.
   * @default 'body'
   */
  readonly write?: 'body' | 'cookie'
  /** @default 'wfs' */
  readonly name?: string
  readonly cookie?: WfTokenCookieOptions
}

/** A refused request, as the application may want to see it. Never holds the token. */
export interface WfRejection {
  readonly code: WfErrorCode
  readonly status: number
  /** The true reason, which the caller was not told. */
  readonly reason?: WfRefusalReason
  readonly method: string
  /** Where the token came from, if there was one. */
  readonly source?: WfTokenSource
  /** The workflow that the request named, if it did. */
  readonly wfid?: string
}

/** A workflow that has ended. */
export interface WfFinish {
  readonly schemaId: string
  readonly context: unknown
}

/** How an endpoint runs workflows. */
export interface WfOutletConfig<N extends string = string> {
  /**
   * The workflows that may be started *and resumed* here. An empty list allows none.
   * @default every registered workflow
   */
  readonly allow?: readonly string[]
  /** Workflows that may not, even if they are allowed. */
  readonly block?: readonly string[]
  /** Where the state lives: one strategy, or `{ strategies, default }`. */
  readonly state: WfStateOption<N>
  /** @default one that answers the caller */
  readonly outlets?: readonly WfOutlet[]
  readonly token?: WfTokenOptions
  /** @default 'wfid' */
  readonly wfidName?: string
  /**
   * Origins of other sites that may post here, such as `https://app.example.com`.
   * @default none; the request's own host and `publicUrl` always may
   */
  readonly origins?: readonly string[]
  /** The address under which users know this server. */
  readonly publicUrl?: string
  /** @default 1 MiB */
  readonly maxBodyBytes?: number
  /** The context of a new flow. The body is what the client sent: parse it. */
  readonly initialContext?: (body: Readonly<Record<string, unknown>>, wfid: string) => unknown
  /** Who starts a flow, which is kept with it. Called within the request that does. */
  readonly actor?: () => string | undefined
  /** Called when a workflow has ended, before its token dies. What it returns is sent as `data`. */
  readonly onFinished?: (finish: WfFinish) => unknown
  /** Told of every request that was refused, by us or by a step, with the true reason. */
  readonly onReject?: (rejection: WfRejection) => unknown
  /**
   * Milliseconds from the start of a flow after which it cannot be resumed, however often it pauses.
   * @default no limit
   */
  readonly maxLifetime?: number
  /**
   * Where `useWfAttempts()` counts.
   * @default none; a step that counts attempts needs one
   */
  readonly ledger?: WfLedger
  readonly clock?: Clock
}
