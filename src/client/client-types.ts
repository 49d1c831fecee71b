import type { WfFormSchema } from '../form-view'
import type { WfClientError, WfPendingResume, WfResponse } from './wire'

/**
 * What a workflow asks for and ends with, for the types of its client. Whatever is left out can be
 * anything.
 *
 * @example
 * ```ts
 * import { createWfClient } from '@atscript/moost-wf/client'
 *
 * // Types of .as files fit as they are.
 * interface LoginForm {
 *   email: string
 *   password: string
 * }
 *
 * const login = createWfClient<{
 *   input: LoginForm | { code: string }
 *   action: 'resend'
 *   data: { user: string }
 * }>({ path: '/wf', name: 'auth/login' })
 *
 * const { response } = await login.submit({ code: '123456' })
 * console.log(response?.data?.user)
 * ```
 */
export interface WfClientTypes {
  /** What the forms send; a union if there are several. */
  input?: unknown
  /** The ids of the actions. */
  action?: string | undefined
  /** What comes along with the forms. */
  context?: unknown
  /** What the workflow ends with. */
  data?: unknown
  /** What the server sends to be shown, if it is no atscript type. */
  form?: unknown
}

type TypeOf<W, K extends keyof WfClientTypes, Otherwise> = W extends { [P in K]: infer T }
  ? T
  : Otherwise

type AnyRecord = Readonly<Record<string, unknown>>

/** What a client's `submit` takes. */
export type WfClientInput<W extends WfClientTypes> = TypeOf<W, 'input', AnyRecord>

/** What a client's `action` takes as the id. */
export type WfClientAction<W extends WfClientTypes> = TypeOf<W, 'action', string>

/** What was typed so far. */
export type WfClientData<W extends WfClientTypes> = TypedSoFar<WfClientInput<W>>

type TypedSoFar<Input> = { readonly [Field in keyof Input]?: Input[Field] | undefined }

/** A snapshot of a client. It is never changed: each change makes a new one. */
export interface WfClientState<W extends WfClientTypes = WfClientTypes> {
  /** The form to show. */
  readonly form?: TypeOf<W, 'form', WfFormSchema> | undefined
  /** What was typed, or what the form starts with. */
  readonly data: WfClientData<W>
  /** Sentences by the path of their field: `address.street`. */
  readonly errors: Readonly<Record<string, string>>
  /** A sentence about the form as a whole. */
  readonly formMessage?: string | undefined
  /** What the server passed along with the form. */
  readonly context: TypeOf<W, 'context', AnyRecord>
  readonly loading: boolean
  /** What is on its way: an action, by its id, or `true` for the form. */
  readonly pressed?: string | true | undefined
  readonly finished: boolean
  /** How the workflow ended, or that it goes on with someone else. */
  readonly response?: WfResponse<TypeOf<W, 'data', unknown>> | undefined
  /** Why the last request failed. The form and what was typed are still there. */
  readonly error?: WfClientError | undefined
  /** The server had got the request before: this is its answer of then. */
  readonly alreadyReceived?: boolean | undefined
  /** The server has been asked to send a new link to whoever has got the old one. */
  readonly freshAsked?: boolean | undefined
  /** The server has been asked to send a code to whoever the link is for. */
  readonly codeAsked?: boolean | undefined
  /** A link that was opened and waits for {@link WfClient.resume}. */
  readonly pendingResume?: WfPendingResume | undefined
}

/**
 * A workflow in the browser.
 *
 * Its functions resolve with the state and never reject: what went wrong is `state.error`. Each new
 * request aborts the one before, which then resolves with the state of that time. One that is made
 * twice, as by a double click, is sent once. The functions need no `this`.
 */
export interface WfClient<W extends WfClientTypes = WfClientTypes> {
  readonly state: WfClientState<W>

  /** Calls the listener now and after each change. Returns what ends that. */
  subscribe(listener: (state: WfClientState<W>) => void): () => void

  /**
   * Goes on where this tab was, or starts the workflow, also where what the tab had is gone. While a
   * link is pending it only waits until it is known whether the link can be used. With an input it
   * always starts.
   */
  start(input?: WfClientInput<W>): Promise<WfClientState<W>>

  /**
   * Forgets everything and starts the workflow. Without an input, and if `error.restart.carriesOver`
   * has said that it can, the server takes along what was typed in the flow that has expired.
   */
  restart(input?: WfClientInput<W>): Promise<WfClientState<W>>

  /**
   * Uses the link that was opened. For a click only: whoever just looks at a page must not use it.
   *
   * @param code what whoever the link is for has got, where `error.code` is `WF_CODE_NEEDED`: at a link, or at a
   * form whose code has expired. It is kept in memory, and sent along with the answer
   * @throws TypeError when there is none
   */
  resume(code?: string): Promise<WfClientState<W>>

  /**
   * Has a code sent to whoever the link is for.
   *
   * @throws TypeError when there is no link, and no form
   */
  askCode(): Promise<WfClientState<W>>

  /**
   * Sends the form.
   *
   * @param input by default what {@link WfClient.update} has recorded
   * @throws TypeError when there is no form to send
   */
  submit(input?: WfClientInput<W>): Promise<WfClientState<W>>

  /**
   * Sends an action instead of the form, with data only if the action takes some.
   *
   * @throws TypeError when there is no form to send
   */
  action(id: WfClientAction<W>, input?: WfClientData<W>): Promise<WfClientState<W>>

  /** Sends the request that has failed again, to the byte. Does nothing if none has. */
  retry(): Promise<WfClientState<W>>

  /** Records what is typed, without a request. What `remember` lets through outlives a reload. */
  update(data: WfClientData<W>): void

  /**
   * Goes on here with what was sent to someone, by a code that stands in the message.
   *
   * @throws TypeError when nothing was sent that can be watched
   */
  enterCode(code: string): Promise<WfClientState<W>>

  /**
   * Has a new link sent to whoever has got the one that is gone.
   *
   * @throws TypeError unless `error.fresh` has said that it can
   */
  askFresh(): Promise<WfClientState<W>>

  /** Forgets what `keepSent` keeps of a message, by its `watch`: a reload starts anew. */
  forget(watch: string): void
}
