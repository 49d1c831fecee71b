import type { WfFetch } from './exchange'
import type { WfTokenStorage } from './kept-text'

/** Gives what may be stored of what was typed into a form. */
export type WfRemember = (form: unknown, data: unknown) => Readonly<Record<string, unknown>>

/** Options of `createWfClient`. */
export interface WfClientOptions {
  /** The address of the endpoint, such as `/api/wf`. */
  readonly path: string
  /** The id of the workflow. */
  readonly name: string
  /**
   * Where the server reads the token. With `cookie` the client never sees it.
   * @default 'body'
   */
  readonly tokenTransport?: 'body' | 'query' | 'cookie' | undefined
  /** @default 'wfs' */
  readonly tokenName?: string | undefined
  /** @default 'wfid' */
  readonly wfidName?: string | undefined
  /**
   * A token to go on with, such as one that the server has put into the page. If it is gone, that is
   * an error: nothing else is started in its place.
   */
  readonly initialToken?: string | undefined
  /** @default globalThis.fetch */
  readonly fetch?: WfFetch | undefined
  /**
   * How many milliseconds to wait for an answer until it counts as lost.
   * @default 30000
   */
  readonly timeoutMs?: number | undefined
  /**
   * Where the token outlives a reload; `null` for nowhere.
   * @default sessionStorage
   */
  readonly storage?: WfTokenStorage | null | undefined
  /**
   * What may be stored there of what is typed, such as {@link withoutSecrets}.
   * @default nothing
   */
  readonly remember?: WfRemember | undefined
  /**
   * Whether a reload shows again that the workflow went on with someone else, where that can be
   * watched. Such a page offers {@link WfClient.restart}, or it cannot be left in this tab.
   * @default false
   */
  readonly keepSent?: boolean | undefined
}

/** @throws TypeError that names the option which is not right */
export const assertOptions = <Options>(isRight: {
  readonly [option in keyof Options]-?: unknown
}) => {
  for (const [option, right] of Object.entries(isRight)) {
    if (!right) throw new TypeError(`The option ${option} is wrong.`)
  }
}
