import { useLogger } from '@wooksjs/event-core'
import { HttpError, useRequest, useResponse } from '@wooksjs/event-http'
import { WfError, type WfErrorCode } from '../errors'
import { Rejection } from '../run'
import { checkOrigin, secureAnswer, setStatus, statusOf } from '../trigger'
import { AdminRefusal } from './admin-refusal'
import { toLeave } from './admin-download'
import { checkGuard } from './check-guard'
import { hideTokens, hideTokenShapes } from './hide-tokens'
import type { ResolvedWfAdminOptions } from './wf-admin-options'

/**
 * Answers one request. Nothing of a handler runs before the guard has let the request in, and nothing
 * leaves that could be used as a token.
 */
export async function answerRequest(
  { origins, guard, store }: Pick<ResolvedWfAdminOptions, 'origins' | 'guard' | 'store'>,
  handle: () => unknown,
): Promise<unknown> {
  secureAnswer()
  let isAdmitted = false
  try {
    if (useRequest().method !== 'GET') checkOrigin(origins)
    await checkGuard(guard)
    isAdmitted = true
    const answer = toLeave(await handle())
    setStatus(200)
    return answer
  } catch (error) {
    const answer = hideTokenShapes(answerError(error))
    if (!isAdmitted || !(error instanceof HttpError)) return answer
    // The application's own words, which may quote what is stored.
    return hideTokens(answer, texts => store.handlesAmong(texts)).catch(answerError)
  }
}

/** What a caller may know of an error of the table. */
const STATUS: Partial<Record<WfErrorCode, number>> = {
  WF_DB_FILTER: 400,
  WF_CONFLICT: 409,
  WF_TRANSITION: 409,
  WF_EXPIRED: 409,
  WF_DB_UNAVAILABLE: 503,
}

function answerError(error: unknown): unknown {
  if (error instanceof AdminRefusal) {
    if (error.cause !== undefined) useLogger().error(error.message, error.cause)
    return answerCode(error.code, error.status, error.message, error.details)
  }
  if (error instanceof Rejection) return answerCode(error.code, statusOf(error), error.message)
  if (error instanceof HttpError && error.body.statusCode < 500) {
    return answerCode('WF_REJECTED', error.body.statusCode, error.body.message)
  }
  const status = error instanceof WfError ? STATUS[error.code] : undefined
  if (error instanceof WfError && status !== undefined) {
    if (status >= 500) useLogger().error('The admin API failed', error)
    return answerCode(error.code, status, error.message)
  }
  useLogger().error('The admin API failed', error)
  return answerCode('WF_INTERNAL', 500, 'Something went wrong on our side.')
}

function answerCode(
  code: WfErrorCode,
  status: number,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): unknown {
  useResponse().setStatus(status)
  return { message, error: { code, message, status }, ...details }
}
