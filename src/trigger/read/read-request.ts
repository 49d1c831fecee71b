import { useCookies, useRequest, useUrlParams } from '@wooksjs/event-http'
import {
  assertCleanKeys,
  type EnteredCode,
  noteFormEncoded,
  readToken,
  type RunRequest,
  sealInput,
  unstorable,
} from '../../run'
import { isStorable, normalizeId } from '../../state'
import { readBrowserCookie } from '../answer/browser-cookie'
import type { WfTokenSource } from '../outlet-config'
import type { TriggerBody } from './read-body'
import { badRequest } from '../http-rejection'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** A request to run a workflow, and how it came. */
export interface TriggerRequest extends RunRequest {
  /** Where the token came from, if there is one. */
  readonly source?: WfTokenSource
  /** It only looks: GET or HEAD. */
  readonly isRead: boolean
  /** It was sent by a person, from a page of ours. */
  readonly isConfirmed: boolean
  /** It asks for a link to be sent anew. */
  readonly isFresh: boolean
  /** It asks for a code to be sent to the person that the link is for. */
  readonly isCodeAsked: boolean
  /** The id of the form that it was sent from, if that page has shown one. */
  readonly shownForm?: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const INPUT = 'input'
const ACTION = 'action'
export const REQUEST_ID = 'requestId'
export const RESTART = 'restart'
export const CONFIRM = 'confirm'
export const FRESH = 'fresh'
/** What {@link CONFIRM} says on a page with a form: its fields have names with a prefix. */
export const FORM_PAGE = 'form'
const BUTTON_PAGE = '1'
/** The id of the form on such a page. */
export const SHOWN_FORM = 'form'
/** Before the names of the form's own fields, so that they can be called anything. */
export const FIELD_PREFIX = 'input.'
const MAX_REQUEST_ID_LENGTH = 200

/** Names of fields that an application cannot give to its own. */
export const RESERVED_FIELDS: readonly string[] = [INPUT, ACTION, REQUEST_ID, RESTART, CONFIRM]

/** Names a pause, for those who watch it: in the query, or in the body beside a code. */
export const WATCH = 'watch'
export const CODE = 'code'
/** Asks for a code to be sent that goes beside the token then. */
export const SEND_CODE = 'sendCode'

/** What was signed is the body: whatever else a request has may be by somebody who sends it again. */
export function readSigned(config: ResolvedOutletConfig, body: TriggerBody): TriggerRequest {
  const token = { ...config.token, read: ['body'] as const }
  const request = readRequest({ ...config, token }, body, false)
  return body.fields[config.wfidName] === undefined ? { ...request, wfid: undefined } : request
}

/** Everything that the trigger takes from an HTTP request. */
export function readRequest(
  config: ResolvedOutletConfig,
  body: TriggerBody,
  isRead: boolean,
): TriggerRequest {
  const { fields } = body
  const entered = enteredIn(config, fields)
  const found = entered ? undefined : findToken(config, fields)
  const request = {
    token: readToken(config.registry, found?.value),
    source: found?.source,
    entered,
    code: entered ? undefined : readCode(body),
    mayBeLeftOver: found?.source === 'cookie',
    wfid: readWfid(config, fields),
    input: entered && body.isForm ? undefined : readInput(config, body),
    action: readAction(fields),
    restart: fields[RESTART] === true || fields[RESTART] === 'true',
    requestId: readRequestId(fields),
    browser: readBrowserCookie(config),
    isRead,
    isConfirmed: isOurPage(body),
    isFresh: isFresh(body),
    isCodeAsked: isSaid(body, SEND_CODE) && (!body.isForm || isOurPage(body)),
    shownForm: isFormPage(body) ? String(fields[SHOWN_FORM]) : undefined,
    body: fields,
  }
  return isStorable(fields) ? request : sealed(config, body, request)
}

/** Text that cannot be kept is refused by the form that the input is for, and here if it is no input. */
function sealed(
  config: ResolvedOutletConfig,
  { fields, isForm }: TriggerBody,
  request: TriggerRequest,
): TriggerRequest {
  const isInput = inputNames(config, { fields, isForm })
  const others = Object.entries(fields).filter(([name]) => !isInput(name))
  if (!isStorable(Object.fromEntries(others))) throw unstorable()
  const input = sealInput(request.input)
  return { ...request, input, body: isForm ? sealInput(fields) : { ...fields, [INPUT]: input } }
}

/**
 * A code that was typed on a page that watches a flow. Whoever names a workflow or shows a token means
 * something else by fields of these names; what a cookie says does not count.
 */
function enteredIn(
  config: ResolvedOutletConfig,
  fields: TriggerBody['fields'],
): EnteredCode | undefined {
  const { [WATCH]: watch, [CODE]: code, [config.wfidName]: wfid } = fields
  if (watch === undefined || code === undefined || wfid !== undefined) return undefined
  const isOfToken = config.token.read.some(
    source => source !== 'cookie' && (tokenIn(config, fields, source) ?? undefined) !== undefined,
  )
  return isOfToken ? undefined : { watch, code }
}

function findToken(config: ResolvedOutletConfig, fields: TriggerBody['fields']) {
  for (const source of config.token.read) {
    const value = tokenIn(config, fields, source)
    // An empty cookie is how some clients keep one that was cleared.
    const absent = value === undefined || value === null || (source === 'cookie' && value === '')
    if (!absent) return { value, source }
  }
}

function tokenIn(
  { token, cookie }: ResolvedOutletConfig,
  fields: TriggerBody['fields'],
  source: WfTokenSource,
): unknown {
  if (source === 'body') return fields[token.name]
  return source === 'query' ? readQuery(token.name) : useCookies().getCookie(cookie.name)
}

export function readQuery(name: string): string | null {
  return useRequest().url?.includes('?') ? useUrlParams().params().get(name) : null
}

function readWfid({ wfidName }: ResolvedOutletConfig, fields: TriggerBody['fields']) {
  const wfid = fields[wfidName] ?? readQuery(wfidName) ?? undefined
  if (wfid === undefined) return undefined
  if (typeof wfid !== 'string') {
    throw badRequest(`${wfidName} must be a text.`)
  }
  return normalizeId(wfid) || undefined
}

function readInput(config: ResolvedOutletConfig, body: TriggerBody) {
  const { fields, isForm } = body
  if (!isForm) return fields[INPUT]
  const isInput = inputNames(config, body)
  const entries = Object.entries(fields).filter(([name]) => isInput(name))
  if (!isFormPage(body)) {
    return entries.length > 0 ? noteFormEncoded(Object.fromEntries(entries)) : undefined
  }
  // A form of which nothing was filled in is an answer too.
  const input = entries.map(([name, value]) => [name.slice(FIELD_PREFIX.length), value] as const)
  const record = Object.fromEntries(input)
  assertCleanKeys(record)
  return noteFormEncoded(record)
}

/** Whether it came from a page of ours that has shown a form. */
function isFormPage({ fields, isForm }: TriggerBody): boolean {
  return isForm && fields[CONFIRM] === FORM_PAGE
}

/** Whether it came from a page of ours. */
function isOurPage(body: TriggerBody): boolean {
  return isFormPage(body) || isButtonPage(body)
}

function isButtonPage({ fields, isForm }: TriggerBody): boolean {
  return isForm && fields[CONFIRM] === BUTTON_PAGE
}

/** In a form of an application a field of this name is one like others. */
function isFresh(body: TriggerBody): boolean {
  return isSaid(body, FRESH) && (!body.isForm || isButtonPage(body))
}

function isSaid({ fields, isForm }: TriggerBody, name: string): boolean {
  return fields[name] === (isForm ? 'true' : true)
}

/** The same: in a form of an application a code is what its step asks for. */
function readCode(body: TriggerBody): unknown {
  return body.isForm && !isOurPage(body) ? undefined : (body.fields[CODE] ?? undefined)
}

/** Tells the fields of a body that are the input, or hold it. */
function inputNames({ token, wfidName }: ResolvedOutletConfig, body: TriggerBody) {
  if (!body.isForm) return (name: string) => name === INPUT
  if (isFormPage(body)) return (name: string) => name.startsWith(FIELD_PREFIX)
  const reserved = new Set([
    token.name,
    wfidName,
    ...RESERVED_FIELDS.filter(name => name !== INPUT),
  ])
  if (isButtonPage(body)) for (const name of [CODE, SEND_CODE]) reserved.add(name)
  return (name: string) => !reserved.has(name)
}

function readAction(fields: TriggerBody['fields']): string | undefined {
  const action = fields[ACTION] ?? undefined
  if (action !== undefined && typeof action !== 'string') {
    throw badRequest(`${ACTION} must be a text.`)
  }
  return action
}

function readRequestId(fields: TriggerBody['fields']): string | undefined {
  const id = fields[REQUEST_ID] ?? undefined
  const isName = typeof id === 'string' && id !== '' && id.length <= MAX_REQUEST_ID_LENGTH
  if (id === undefined || isName) return id as string | undefined
  throw badRequest(`${REQUEST_ID} must be a text of up to ${MAX_REQUEST_ID_LENGTH} characters.`)
}
