import { useLogger } from '@wooksjs/event-core'
import { useRequest, useResponse } from '@wooksjs/event-http'
import { WfError, type WfErrorCode } from '../../errors'
import {
  FormRefused,
  isGone,
  redactTokens,
  refusedStatusOf,
  Rejection,
  type RejectionDetails,
  statusOfThrown,
} from '../../run'
import type { WfOutletRequest, WfOutletResult } from '../../outlets'
import { isRecord } from '../../state'
import type { WfRejection } from '../outlet-config'
import type { TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { carryOut } from './carry-out'
import { headersOf, statusOf } from './status-of'
import { clearTokenCookie } from './token-cookie'

/** Answers a request that was refused or has failed. Only the log learns why it failed. */
export async function answerError(
  config: ResolvedOutletConfig,
  error: unknown,
  request: TriggerRequest | undefined,
): Promise<unknown> {
  if (error instanceof FormRefused) return answerForm(config, error, request)
  if (error instanceof Rejection) return answerRejection(config, error, request)
  if (isContentRefused(error)) {
    const refused = new Rejection('WF_CONTENT_REFUSED', { cause: error })
    return answerRejection(config, refused, request)
  }
  const refusedStatus = refusedStatusOf(error)
  if (refusedStatus !== undefined) {
    report(config, request, { code: 'WF_REJECTED', status: refusedStatus })
    return answerCode('WF_REJECTED', refusedStatus, sentenceOf(error as Error))
  }
  logFailure(`Workflow ${request?.wfid ?? 'of a token'} failed`, error, request)
  return answerCode(
    'WF_INTERNAL',
    statusOfThrown(error) ?? 500,
    'Something went wrong on our side.',
  )
}

/** What wooks' `HttpError` was given; its own message may say more. */
function sentenceOf(error: Error & { readonly body?: { readonly message?: unknown } }): string {
  return typeof error.body?.message === 'string' ? error.body.message : error.message
}

const CONTENT_CODES: readonly WfErrorCode[] = [
  'WF_DB_ROW',
  'WF_STATE_INVALID',
  'WF_STATE_TOO_LARGE',
]

/** Whether something was entered that no table and no token takes: the same again fails again. */
function isContentRefused(error: unknown): boolean {
  return error instanceof WfError && CONTENT_CODES.includes(error.code)
}

async function answerRejection(
  config: ResolvedOutletConfig,
  rejection: Rejection,
  request: TriggerRequest | undefined,
): Promise<unknown> {
  const { code, message, details } = rejection
  const status = statusOf(rejection)
  if (rejection.cause !== undefined) logFailure(message, rejection.cause, request)
  if (isDeadCookie(request, details)) clearTokenCookie(config)
  useResponse().setHeaders({ ...headersOf(rejection) })
  report(config, request, { code, status, reason: details.reason })
  const shown = details.current && (await showAgain(config, details.current, request))
  const { restart, answered, fresh, triesLeft } = details
  const told = {
    ...(restart && { restart }),
    ...(answered && { answered }),
    ...(fresh && { fresh }),
    ...(triesLeft !== undefined && { triesLeft }),
  }
  return { ...shown, ...answerCode(code, status, message, told) }
}

/** Nothing was started: the form is sent again as it was sent first. */
function answerForm(
  config: ResolvedOutletConfig,
  { code, message, schema, sentences }: FormRefused,
  request: TriggerRequest | undefined,
): object {
  const status = 422
  report(config, request, { code, status })
  return { ...config.envelope.form(schema, sentences), ...answerCode(code, status, message) }
}

/**
 * Whether a browser keeps a token for nothing. Where the flow has moved on it may hold the newer one, and
 * what is not there may be with another process, which puts it back.
 */
function isDeadCookie(request: TriggerRequest | undefined, { reason }: RejectionDetails): boolean {
  if (request?.source !== 'cookie' || request.isRead || reason === undefined) return false
  return isGone(reason) && reason !== 'used' && reason !== 'superseded' && reason !== 'gone'
}

/** What an older page needs to go on: the form as it was shown last, and its token. */
async function showAgain(
  config: ResolvedOutletConfig,
  { token, request: pause }: NonNullable<RejectionDetails['current']>,
  request: TriggerRequest | undefined,
): Promise<object | undefined> {
  const result = await deliverAgain(config, pause, token)
  if (!result) return undefined
  const { response: body = {}, status = 200 } = result
  const shown = carryOut(config, { body, status, token }, request?.source)
  return isRecord(shown) ? shown : undefined
}

async function deliverAgain(
  { outlets }: ResolvedOutletConfig,
  pause: WfOutletRequest,
  token: string,
): Promise<WfOutletResult | undefined> {
  const outlet = outlets.get(pause.outlet)
  if (!outlet?.isRepeatable) return undefined
  try {
    return (await outlet.deliver(pause, token)) ?? undefined
  } catch (error) {
    useLogger().error('A form could not be shown again', redactTokens(error, [token]))
    return undefined
  }
}

function logFailure(title: string, error: unknown, request: TriggerRequest | undefined): void {
  const logger = useLogger()
  const token = request?.token?.text
  const safe = redactTokens(error, typeof token === 'string' ? [token] : [])
  const errors: unknown[] = safe instanceof AggregateError ? safe.errors : [safe]
  for (const one of errors) logger.error(title, one ?? 'without saying why')
}

// A hook that fails must not change the answer.
function report(
  { onReject }: ResolvedOutletConfig,
  request: TriggerRequest | undefined,
  outcome: Pick<WfRejection, 'code' | 'status' | 'reason'>,
): void {
  if (!onReject) return
  const logger = useLogger()
  const { method = '' } = useRequest()
  const rejection = { ...outcome, method, source: request?.source, wfid: request?.wfid }
  Promise.resolve(rejection)
    .then(onReject)
    .catch((error: unknown) => logger.error('onReject failed', error))
}

function answerCode(
  code: WfErrorCode,
  status: number,
  message: string,
  told: Pick<RejectionDetails, 'restart' | 'answered' | 'fresh' | 'triesLeft'> = {},
): object {
  useResponse().setStatus(status)
  return { message, error: { code, message, status, ...told } }
}
