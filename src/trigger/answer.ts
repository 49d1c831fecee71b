import { useLogger } from '@wooksjs/event-core'
import { HttpError, useHeaders, useRequest, useResponse } from '@wooksjs/event-http'
import type { WfErrorCode } from '../errors'
import type { WfTokenSource } from './outlet-config'
import type { Delivery } from './pause-run'
import { Rejection } from './rejection'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import { isClientError } from './give-back'
import { clearTokenCookie, writeTokenCookie } from './token-cookie'
import type { WfFinishedResponse } from './use-wf-finished'

/** Answers carry tokens: they are not for caches, nor for other sites' logs. */
export function secureAnswer(): void {
  useResponse().setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer')
}

export function answerPause(
  config: ResolvedOutletConfig,
  { result, token, expiresAt }: Delivery,
  source: WfTokenSource | undefined,
): unknown {
  setStatus(result.status ?? 200)
  const body = result.response ?? {}
  const byCookie = config.token.write === 'cookie'
  if (token === undefined) {
    if (byCookie || source === 'cookie') clearTokenCookie(config)
    return body
  }
  if (!byCookie) return { ...asRecord(body), [config.token.name]: token }
  writeTokenCookie(config, token, expiresAt)
  return body
}

export function answerFinish(
  config: ResolvedOutletConfig,
  finished: WfFinishedResponse | undefined,
  data: unknown,
  source: WfTokenSource | undefined,
): unknown {
  const response = useResponse()
  if (source === 'cookie' || config.token.write === 'cookie') clearTokenCookie(config)
  for (const [name, { value, options }] of Object.entries(finished?.cookies ?? {})) {
    response.setCookie(name, value, options)
  }
  if (finished?.type === 'redirect' && data === undefined) {
    return answerRedirect(config, String(finished.value), finished.status)
  }
  setStatus(finished?.status ?? 200)
  return config.envelope.finished(data ?? finished?.value)
}

/** A person's browser is sent there; a script is told where to go. */
function answerRedirect(config: ResolvedOutletConfig, next: string, status = 303): unknown {
  // Not by the wildcard that scripts send: only a browser that navigates names HTML.
  if (!useHeaders().accept?.includes('text/html')) {
    setStatus(200)
    return config.envelope.finished({ finished: true, next })
  }
  useResponse().setStatus(status).setHeader('location', next)
  return ''
}

export function answerError(
  config: ResolvedOutletConfig,
  error: unknown,
  source: WfTokenSource | undefined,
): unknown {
  if (error instanceof Rejection) return answerRejection(config, error, source)
  if (isClientError(error)) {
    return answerCode('WF_REJECTED', error.body.statusCode, error.body.message)
  }
  useLogger().error('A workflow failed', error)
  const status = error instanceof HttpError ? error.body.statusCode : 500
  return answerCode('WF_INTERNAL', status, 'Something went wrong on our side.')
}

function answerRejection(
  config: ResolvedOutletConfig,
  rejection: Rejection,
  source: WfTokenSource | undefined,
): unknown {
  const { code, status, message, details } = rejection
  if (rejection.cause !== undefined && status >= 500) useLogger().error(message, rejection.cause)
  if (details.clearCookie) clearTokenCookie(config)
  useResponse().setHeaders({ ...details.headers })
  report(config, {
    code,
    status,
    reason: details.reason,
    method: useRequest().method ?? '',
    source,
  })
  return answerCode(code, status, message)
}

type Report = Parameters<NonNullable<ResolvedOutletConfig['onReject']>>[0]

// A hook that fails must not change the answer.
function report({ onReject }: ResolvedOutletConfig, rejection: Report): void {
  const logger = useLogger()
  Promise.resolve(rejection)
    .then(onReject)
    .catch((error: unknown) => logger.error('onReject failed', error))
}

function answerCode(code: WfErrorCode, status: number, message: string): unknown {
  useResponse().setStatus(status)
  return { message, error: { code, message, status } }
}

function asRecord(body: unknown): object {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? body
    : { response: body }
}

/** A status that a step has set stays. */
function setStatus(status: number): void {
  const response = useResponse()
  if (!response.status) response.setStatus(status)
}
