import type { WfOutlet } from '../outlets'
import type { Clock, WfLedger, WfRefusalReason } from '../state'
import type { WfStateOption } from '../strategies'
import type { WfErrorCode } from '../errors'
import type { WfConfirmInfo, WfPageTheme } from './links/confirm-page'
import type { WfFinish, WfMove, WfStartLimit } from '../run'

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
   * Where to look for the token, in this order. Whoever can set a cookie for this site could make its
   * users go on with a flow of theirs: read cookies only where tokens are written to them.
   * @default ['body', 'query'], and 'cookie' if that is where tokens are written
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
  /**
   * The page of yours where someone who has opened a link goes on: an address, or one per workflow. A
   * browser that opens the endpoint with a token is then asked to confirm, by a page of ours, and sent
   * there with the next token in the fragment (`#wfs=…`) or in the cookie.
   * @default none; the endpoint answers programs only
   */
  readonly resumeUrl?: string | ((wfid: string) => string)
  /**
   * Texts and colour of the page that asks, or a page of your own, as HTML.
   * @default ours, in English
   */
  readonly confirmPage?: WfPageTheme | ((info: WfConfirmInfo) => string)
  /** The address under which users know this server. */
  readonly publicUrl?: string
  /** @default 1 MiB */
  readonly maxBodyBytes?: number
  /** The context of a new flow. The body is what the client sent: parse it. */
  readonly initialContext?: (body: Readonly<Record<string, unknown>>, wfid: string) => unknown
  /** Who starts a flow, which is kept with it. Called within the request that does. */
  readonly actor?: () => string | undefined | Promise<string | undefined>
  /** Called when a workflow has ended, before its token dies. What it returns is sent as `data`. */
  readonly onFinished?: (finish: WfFinish) => unknown
  /** Told of a flow that goes on at another place, because its workflow was changed meanwhile. */
  readonly onMoved?: (move: WfMove) => unknown
  /** Told of every request that was refused, by us or by a step, with the true reason. */
  readonly onReject?: (rejection: WfRejection) => unknown
  /**
   * Milliseconds from the start of a flow after which it cannot be resumed, however often it pauses.
   * @default no limit
   */
  readonly maxLifetime?: number
  /**
   * Milliseconds for which a form waits that was shown to nobody in particular, in a flow without an
   * `actor`, where neither its step nor the strategy's `defaultTtl` says otherwise. `Infinity` keeps it
   * for ever.
   * @default 1 day
   */
  readonly anonymousTtlMs?: number
  /**
   * How many flows one actor, or one address, may start. Needs a ledger.
   * @default no limit
   */
  readonly startLimit?: WfStartLimit
  /**
   * Where `useWfAttempts()` counts, and where answers are kept for requests that are sent again.
   * @default none; a step that counts attempts needs one
   */
  readonly ledger?: WfLedger
  /**
   * Milliseconds for which a request that is sent again, with the same token, `requestId` and input,
   * gets the answer that it got before. Needs a ledger.
   * @default 2 minutes
   */
  readonly replayWindow?: number
  /**
   * Milliseconds for which a used token is told from one that never was. Needs a ledger.
   * @default 7 days
   */
  readonly tombstoneTtl?: number
  readonly clock?: Clock
}
