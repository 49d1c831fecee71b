import { HttpError, useRequest } from '@wooksjs/event-http'
import { assertCleanKeys } from './clean-keys'
import { Rejection } from './rejection'

export interface TriggerBody {
  readonly fields: Readonly<Record<string, unknown>>
  /** A form has no `input` field: its fields are the input. */
  readonly isForm: boolean
}

const UNREADABLE: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  415: 'The body is compressed in a way that is not supported.',
}

export const NO_BODY: TriggerBody = { fields: {}, isForm: false }

/**
 * Reads a JSON or form-encoded body. It is read in the context of the HTTP event, before the
 * workflow runs, so that steps can read it again.
 */
export async function readBody(maxBytes: number): Promise<TriggerBody> {
  const request = useRequest()
  request.setMaxInflated(Math.min(maxBytes, request.getMaxInflated()))
  let text: string
  try {
    text = (await request.rawBody()).toString('utf8')
  } catch (error) {
    throw unreadable(error)
  }
  if (text.trim() === '') return NO_BODY
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return { fields: parseJson(text), isForm: false }
  if (type === 'application/x-www-form-urlencoded') return { fields: parseForm(text), isForm: true }
  throw new Rejection('WF_BAD_REQUEST', {
    status: 415,
    message: 'The body must be JSON or form-encoded.',
  })
}

function unreadable(error: unknown): unknown {
  if (!(error instanceof HttpError)) return error
  const { statusCode } = error.body
  // Wooks says 408 for whatever else goes wrong, most of all for a body that does not decompress.
  const message = UNREADABLE[statusCode] ?? 'The body could not be read.'
  return new Rejection('WF_BAD_REQUEST', { status: statusCode === 408 ? 400 : statusCode, message })
}

function parseJson(text: string): Record<string, unknown> {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Rejection('WF_BAD_REQUEST', { message: 'The body must be a JSON object.' })
  }
  assertCleanKeys(body)
  return body as Record<string, unknown>
}

// The parser's own message quotes the body, which may hold a password.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Rejection('WF_BAD_REQUEST', { message: 'The body is not valid JSON.' })
  }
}

function parseForm(text: string): Record<string, unknown> {
  const params = new URLSearchParams(text)
  const fields = Object.fromEntries(
    [...new Set(params.keys())].map(name => {
      const values = params.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
  assertCleanKeys(fields)
  return fields
}
