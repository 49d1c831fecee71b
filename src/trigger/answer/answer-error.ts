import { useLogger } from '@wooksjs/event-core'
import { HttpError, useRequest, useResponse } from '@wooksjs/event-http'
import { WfError, type WfErrorCode } from '../../errors'
import { isRecord } from '../../state'
import { answerPause } from './answer-pause'
import { isClientError } from '../../run/give-back'
import type { WfRejection } from '../outlet-config'
import type { TriggerRequest } from '../read/read-request'
import { redactTokens } from '../../run/redact-tokens'
import { type CurrentPause, Rejection, type RejectionDetails } from '../../run/rejection'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { clearTokenCookie } from './token-cookie'

/** Answers a request that was refused or has failed. Only the log learns why it failed. */
export async function answerError(
  config: ResolvedOutletConfig,
  error: unknown,
  request: TriggerRequest | undefined,
): Promise<unknown> {
  if (error instanceof Rejection) return answerRejection(config, error, request)
  if (isContentRefused(error)) {
    const refused = new Rejection('WF_CONTENT_REFUSED', { cause: error })
    return answerRejection(config, refused, request)
  }
  if (isClientError(error)) {
    const { statusCode, message } = error.body
    report(config, request, { code: 'WF_REJECTED', status: statusCode })
    return answerCode('WF_REJECTED', statusCode, message)
  }
  logFailure(`Workflow ${request?.wfid ?? 'of a token'} failed`, error, request)
  const status = error instanceof HttpError ? error.body.statusCode : 500
  return answerCode('WF_INTERNAL', status, 'Something went wrong on our side.')
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
  const { code, status, message, details } = rejection
  if (rejection.cause !== undefined) logFailure(message, rejection.cause, request)
  if (details.clearCookie) clearTokenCookie(config)
  useResponse().setHeaders({ ...details.headers })
  report(config, request, { code, status, reason: details.reason })
  const shown = details.current && (await showAgain(config, details.current, request))
  return { ...shown, ...answerCode(code, status, message, details.restart) }
}

/** What an older page needs to go on: the form as it was shown last, and its token. */
async function showAgain(
  config: ResolvedOutletConfig,
  { token, request: pause }: CurrentPause,
  request: TriggerRequest | undefined,
): Promise<object | undefined> {
  const result = await config.outlets.get(pause.outlet)?.deliver(pause, token)
  const body = result && answerPause(config, { result, token }, request?.token?.source)
  return isRecord(body) ? body : undefined
}

function logFailure(title: string, error: unknown, request: TriggerRequest | undefined): void {
  const logger = useLogger()
  const token = request?.token?.value
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
  const rejection = { ...outcome, method, source: request?.token?.source, wfid: request?.wfid }
  Promise.resolve(rejection)
    .then(onReject)
    .catch((error: unknown) => logger.error('onReject failed', error))
}

function answerCode(
  code: WfErrorCode,
  status: number,
  message: string,
  restart?: RejectionDetails['restart'],
): object {
  useResponse().setStatus(status)
  return { message, error: { code, message, status, ...(restart && { restart }) } }
}
