import type { Awaitable } from '../state'
import type { RequestToken } from './request-token'
import type { StartKey } from './start-key'

/** A code that was typed where a flow is watched. */
export interface EnteredCode {
  readonly watch: unknown
  readonly code: unknown
}

/** What someone asks of a workflow. All of it may be made up by a client. */
export interface RunRequest {
  readonly token?: RequestToken | undefined
  /** In place of a token: a code that came beside the link. */
  readonly entered?: EnteredCode | undefined
  /** Beside a token: the code that was sent to whoever has opened the link. */
  readonly code?: unknown
  readonly wfid?: string | undefined
  readonly input?: unknown
  readonly action?: string | undefined
  /** An expired flow is to be started anew, with what it carries over. */
  readonly restart?: boolean | undefined
  /** Names this request, so that it can be sent again. */
  readonly requestId?: string | undefined
  /** What the browser keeps by which it is known again. */
  readonly browser?: string | undefined
  /** The strategy that a new flow begins in, instead of its default. Never from a client. */
  readonly strategy?: string | undefined
  /** The token may be one that was left behind: it must not keep anyone from starting what they name. */
  readonly mayBeLeftOver?: boolean | undefined
}

/** What is asked about whoever starts a flow, once it is known that they may. */
export interface RunStarter {
  actor(): Awaitable<string | undefined>
  /** What steps may need to know of the request when it is over. */
  facts?(): unknown
  /** The context of a new flow. */
  initialContext(wfid: string): unknown
  /** The key of a new flow, of which there may be one at a time. */
  key?(wfid: string): StartKey | undefined
  /** Who is counted where there is no actor. */
  client(): string
}
