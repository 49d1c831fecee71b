import { WfError } from '../errors'
import { looksSecret, type WfDescription } from '../state'
import type { WfAdminStore } from '../store'
import type { WfRuns } from '../runs'
import type { WfResend } from './resend-flow'
import type { WfMessagePreview, WfMessageToPreview } from './runs/preview-message'

/** Options of {@link createWfAdminController}. */
export interface WfAdminOptions {
  /** The store of the flows: an `AsWfStore`. Its row has a `@meta.id`, by which flows are named. */
  readonly store: WfAdminStore
  /**
   * Decides who may use the API; called in each request, before anything else. Only `true` lets a
   * request in. It may throw an `HttpError`, which is answered as it is.
   */
  readonly guard: () => boolean | Promise<boolean>
  /**
   * The workflows of this build: a `MoostWf`.
   *
   * @default none: no steps are shown
   */
  readonly wf?: { describe?(schemaId: string): WfDescription | undefined } | undefined
  /**
   * The durable runs of the application, or what gives them, to show them beside the flows.
   *
   * @default none: there are no routes for runs
   */
  readonly runs?: (WfRuns | (() => WfRuns)) | undefined
  /**
   * Who changes a run, in its history. Called in a request that the guard has let in.
   *
   * @default no one
   */
  readonly actor?: (() => string | undefined | Promise<string | undefined>) | undefined
  /** @default 'api/admin' */
  readonly prefix?: string | undefined
  /**
   * Origins of other sites whose pages may post here.
   *
   * @default none
   */
  readonly origins?: readonly string[] | undefined
  /**
   * Whether what is stored under a key of a context, or in a column, is a secret, which is not shown.
   *
   * @default byDefault: whether the key reads like a password, a token, a code …
   */
  readonly isSecret?: ((key: string, byDefault: boolean) => boolean) | undefined
  /**
   * Sends a new link to a flow. If it throws, the old link still works.
   *
   * @default none: flows cannot be sent again
   */
  readonly resend?: ((flow: WfResend) => void | Promise<void>) | undefined
  /**
   * Writes a message of a run anew, for admins to see what people got. It is told neither the link nor the code,
   * and puts `link` and `code` in their places; `null` for a message that is not to be shown.
   *
   * @default none: messages are not shown
   */
  readonly preview?: WfPreview | undefined
}

type WfPreview = (
  message: WfMessageToPreview,
) => WfMessagePreview | null | Promise<WfMessagePreview | null>

export interface ResolvedWfAdminOptions {
  readonly store: WfAdminStore
  readonly guard: () => unknown
  readonly wf: { describe?(schemaId: string): WfDescription | undefined }
  readonly runs: WfAdminOptions['runs']
  readonly actor: WfAdminOptions['actor']
  readonly prefix: string
  readonly origins: ReadonlySet<string>
  isSecret(key: string): boolean
  readonly resend: WfAdminOptions['resend']
  readonly preview: WfAdminOptions['preview']
}

const STORE_METHODS = [
  'columns',
  'list',
  'count',
  'countBy',
  'toSql',
  'handlesAmong',
  'getRow',
  'revokeRow',
  'extendRow',
  'reissueRow',
  'heal',
  'cleanup',
] as const satisfies readonly (keyof WfAdminStore)[]

/** @throws WfError `WF_CONFIG` */
export function resolveWfAdminOptions(options: WfAdminOptions): ResolvedWfAdminOptions {
  const { store, guard, wf = {}, prefix = 'api/admin', origins = [], resend } = options ?? {}
  const { runs, actor, preview } = options ?? {}
  const { isSecret = (_key: string, byDefault: boolean) => byDefault } = options ?? {}
  check(
    typeof guard === 'function',
    'guard is a function that says who may use it; without one everybody could',
  )
  check(
    STORE_METHODS.every(method => typeof store?.[method] === 'function'),
    `store has ${STORE_METHODS.join(', ')}`,
  )
  check(
    store.columns().some(({ isId }) => isId),
    'the row of the store has a @meta.id other than the handle',
  )
  check(typeof wf === 'object' && wf !== null, 'wf is a MoostWf')
  check(typeof prefix === 'string', 'prefix is a path')
  check(Array.isArray(origins) && origins.every(isOrigin), 'origins are origins: https://host')
  check(typeof isSecret === 'function', 'isSecret is a function')
  check(
    runs === undefined || typeof runs === 'function' || typeof runs?.list === 'function',
    'runs is what createWfRuns() gives, or a function that gives it',
  )
  check(actor === undefined || typeof actor === 'function', 'actor is a function')
  check(resend === undefined || typeof resend === 'function', 'resend is a function')
  check(preview === undefined || typeof preview === 'function', 'preview is a function')
  return Object.freeze({
    store,
    guard,
    wf,
    runs,
    actor,
    prefix,
    origins: new Set(origins),
    isSecret: (key: string) => isSecret(key, looksSecret(key)),
    resend,
    preview,
  })
}

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `createWfAdminController: ${rule}.`)
}
