import type { WfOnConflict, WfRefusalReason } from '../state'
import type { WfErrorCode } from '../errors'
import type { WfConfirmInfo } from './links/confirm-page'
import type { WfPageTheme } from './links/page'
import type { WfRunConfig } from '../run'
import type { WfWatchEvents } from './watch/watch-events'

/** Where a token can come from. */
export type WfTokenSource = 'body' | 'query' | 'cookie'

/** The cookie that carries a token. It is always `HttpOnly`. */
export interface WfTokenCookieOptions {
  /** @default the token's name */
  readonly name?: string | undefined
  /** @default '/' */
  readonly path?: string | undefined
  readonly domain?: string | undefined
  /** @default 'Lax' */
  readonly sameSite?: 'Lax' | 'Strict' | undefined
  /** @default true when the request came over TLS or `publicUrl` is https */
  readonly secure?: boolean | undefined
}

/** Where tokens come from and go to. */
export interface WfTokenOptions {
  /**
   * Where to look for the token, in this order. Whoever can set a cookie for this site could make its
   * users go on with a flow of theirs: read cookies only where tokens are written to them.
   * @default ['body', 'query'], and 'cookie' if that is where tokens are written
   */
  readonly read?: readonly WfTokenSource[] | undefined
  /**
   * Where the next token goes. A cookie is always `HttpOnly`, and the body then has no token.
   * @default 'body'
   */
  readonly write?: 'body' | 'cookie' | undefined
  /** @default 'wfs' */
  readonly name?: string | undefined
  readonly cookie?: WfTokenCookieOptions | undefined
}

/** A refused request, as the application may want to see it. Never holds the token. */
export interface WfRejection {
  readonly code: WfErrorCode
  readonly status: number
  /** The true reason, which the caller was not told. */
  readonly reason?: WfRefusalReason | undefined
  readonly method: string
  /** Where the token came from, if there was one. */
  readonly source?: WfTokenSource | undefined
  /** The workflow that the request named, if it did. */
  readonly wfid?: string | undefined
}

/** How an endpoint runs workflows. */
export interface WfOutletConfig<N extends string = string> extends WfRunConfig<N> {
  readonly token?: WfTokenOptions | undefined
  /** @default 'wfid' */
  readonly wfidName?: string | undefined
  /**
   * Origins of other sites that may post here, such as `https://app.example.com`.
   * @default none; the request's own host and `publicUrl` always may
   */
  readonly origins?: readonly string[] | undefined
  /**
   * The page of yours where someone who has opened a link goes on: an address, or one per workflow. A
   * browser that opens the endpoint with a token is then asked to confirm, by a page of ours, and sent
   * there with the next token in the fragment (`#wfs=…`) or in the cookie.
   * @default none; without a `confirmPage` the endpoint answers programs only
   */
  readonly resumeUrl?: (string | ((wfid: string) => string)) | undefined
  /**
   * Texts and colour of our pages, or a page of your own that asks to confirm, as HTML. With an empty
   * object they are as they are, and there need be no `resumeUrl`: our pages show whatever comes.
   * @default ours, in English, if there is a `resumeUrl`
   */
  readonly confirmPage?: (WfPageTheme | ((info: WfConfirmInfo) => string)) | undefined
  /**
   * Whether a form that travels with a link is shown by a page of ours, which needs no script. If not,
   * whoever has opened the link is sent to `resumeUrl` to see it.
   * @default true
   */
  readonly formPage?: boolean | undefined
  /**
   * The workflows whose first form anyone may see without starting them, by GET with `wfid`. Each begins
   * with a step that has a `@WfInput()`; its guards are asked. The flow starts with the first submit, so
   * that opening a page leaves nothing behind.
   * @default none
   */
  readonly describe?: readonly string[] | undefined
  /**
   * Whether whoever watches what they have sent, by GET with `watch`, can have server-sent events
   * (`Accept: text/event-stream`) instead of asking again and again. Needs a ledger.
   * @default false
   */
  readonly watchEvents?: boolean | WfWatchEvents | undefined
  /** The address under which users know this server. */
  readonly publicUrl?: string | undefined
  /** @default 1 MiB */
  readonly maxBodyBytes?: number | undefined
  /** The context of a new flow. The body is what the client sent: parse it. */
  readonly initialContext?:
    | ((body: Readonly<Record<string, unknown>>, wfid: string) => unknown)
    | undefined
  /** Who starts a flow, which is kept with it. Called within the request that does. */
  readonly actor?: (() => string | undefined | Promise<string | undefined>) | undefined
  /**
   * Which key a new flow has: there may be one active run with each, of at most 200 characters. Needs a
   * strategy that can. The body is what the client sent: parse it. A caller without an `actor` cannot tell
   * whether another run has the key.
   *
   * @default none
   */
  readonly runKey?:
    | ((body: Readonly<Record<string, unknown>>, wfid: string) => string | undefined)
    | undefined
  /**
   * What becomes of a start whose key another run has. `reject`: it is refused. `join`: whoever has started
   * that run can watch it. `supersede`: whoever has started it ends it by starting another. For everybody
   * else it is refused.
   *
   * @default 'reject'
   */
  readonly onConflict?: WfOnConflict | undefined
  /**
   * What steps may need to know of a request, for `useWfFacts()`: small, JSON. A durable run keeps it
   * with what was answered, for a step that runs again when the request is over.
   * @default none
   */
  readonly facts?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Told of every request that was refused, by us or by a step, with the true reason. */
  readonly onReject?: ((rejection: WfRejection) => unknown) | undefined
}
