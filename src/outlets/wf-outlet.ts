import type { Awaitable, WfAudience, WfDeadlineOptions } from '../state'
import type { WfPanelRequest } from './outlet-each'

/** Where a link can be opened. */
export type WfLinkPolicy = 'anyDevice' | 'sameBrowser'

/** What a pausing step asks for. */
export interface WfOutletRequest {
  /** The name of the outlet that delivers it. */
  readonly outlet: string
  /** What is asked for: a form, for example. */
  readonly payload?: unknown
  /** Whom it goes to, where that is not the caller: an address, for example. */
  readonly target?: string | undefined
  /** Which message to send. */
  readonly template?: string | undefined
  /**
   * Where a link that goes to someone else can be opened. `sameBrowser`: only in the browser of the one
   * who has asked for it, as for a sign-in by mail.
   * @default 'anyDevice'
   */
  readonly link?: WfLinkPolicy | undefined
  /**
   * The same is asked again, so the token that the caller has lives on: nothing is spent by an answer
   * that was not good enough. Counts only at the step that had paused, and where the strategy can
   * (`guarantees.stays`); elsewhere there is a new token, as ever.
   * @default false
   */
  readonly keepToken?: boolean | undefined
  /**
   * The form that will be asked for: one that the step declares, by `@WfInput({ ask: false })`. Whoever
   * opens the link sees it, as often as they like, and the link is used by the first answer that the form
   * takes. For outlets that deliver to someone else.
   */
  readonly form?: object | undefined
  /**
   * Whether what the form shows of the context comes with a look at the link (GET) too. Scanners look,
   * and keep what they see.
   * @default false; it comes when a person asks for it (POST)
   */
  readonly showContext?: boolean | undefined
  /**
   * What others who have the link are told once its form was answered: when, and, if it is a text, by whom.
   * @default only that it was answered
   */
  readonly usedNote?: string | boolean | undefined
  /**
   * Whether the caller can see what becomes of what was sent to someone else: whether it waits, was
   * answered, or has ended. Needs a ledger.
   * @default true
   */
  readonly watch?: boolean | undefined
  /**
   * Whether whoever has got the link can have it sent anew, to the same address, when it has expired or was
   * replaced and it is still their turn. Needs a ledger.
   * @default true
   */
  readonly fresh?: boolean | undefined
  /**
   * Whether the message carries a short code beside the link, for people who read it on another device:
   * typed on the page where the flow was started, it does what the link does. The outlet gets it to send.
   * Needs a ledger, and a pause that is watched.
   * @default false
   */
  readonly code?: boolean | undefined
  /**
   * Until when the pause waits, and what happens then. Only durable runs can.
   * @default what `@Deadline` says of the step
   */
  readonly deadline?: WfDeadlineOptions | undefined
  /** The people who are asked at the same time, as `outletEach()` says it. */
  readonly panel?: WfPanelRequest | undefined
  /** The message went out before: which reminder this is, from 1. */
  readonly reminder?: number | undefined
  /** What the form or the message needs to know. It leaves the server. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

/** What goes out beside the token of a pause. */
export interface WfDeliveryDetails {
  /** What a person can type instead of opening the link, or beside it where the token is empty. As secret as that. */
  readonly code?: string | undefined
  /**
   * Names the message, the same for every attempt to deliver it. Only where it is kept until it is
   * delivered: elsewhere there is one attempt.
   */
  readonly messageId?: string | undefined
}

/** What the caller of the HTTP request is answered after a delivery. */
export interface WfOutletResult {
  /** The body. The token is added to it when the outlet delivers to the caller. */
  readonly response?: unknown
  readonly status?: number | undefined
}

/** A way on which a paused workflow reaches the one who goes on with it. */
export interface WfOutlet {
  readonly name: string
  /**
   * `out-of-band`: the token goes to someone else. The caller never sees it, and what the caller
   * holds can no longer be used.
   * @default 'caller'
   */
  readonly tokenDelivery?: WfAudience | undefined
  /**
   * Whether to deliver the same again has no effect but the answer. Then an older page of the same
   * browser can be shown where the flow is now.
   * @default false
   */
  readonly isRepeatable?: boolean | undefined
  /**
   * Throws when it cannot deliver; the workflow then is where it was before. A message that is kept until it
   * is delivered is tried again, unless what is thrown is a `NonRetryableError` or a `WfError` with `WF_CONFIG`;
   * it may have arrived before, by another attempt, and what is returned is for nobody.
   */
  deliver(
    request: WfOutletRequest,
    token: string,
    details?: WfDeliveryDetails,
  ): Awaitable<WfOutletResult | void>
}
