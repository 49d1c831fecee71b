import { hearServerTime } from '../time/server-clock'

/** A request that was refused, or did not come through. Its message is a sentence for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    /** 0 when there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

/** @throws ApiError */
export function getJson<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return request<T>(search ? `${path}?${search}` : path, { signal })
}

/** @throws ApiError */
export function postJson<T>(path: string, body: unknown = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const sentAt = Date.now()
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'NETWORK', 'The server could not be reached.')
  })
  hearServerTime(response.headers.get('date'), sentAt, Date.now())
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response.status, body)
  return body as T
}

function errorOf(status: number, body: unknown): ApiError {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: { code?: unknown } }
  const sentence =
    typeof message === 'string' ? message : 'The server gave an answer we do not know.'
  const code = typeof error?.code === 'string' ? error.code : String(status)
  return new ApiError(status, code, sentence)
}

/** What to tell the user about anything that was thrown. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong in this page.'
