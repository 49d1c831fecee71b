import { type Buffer, isUtf8 } from 'node:buffer'
import { HttpError, useRequest } from '@wooksjs/event-http'
import { isSupportedEncoding } from '../../http'
import { assertCleanKeys } from '../../run'
import { isRecord } from '../../state'
import { badRequest, type HttpRejection } from '../http-rejection'

export interface TriggerBody {
  readonly fields: Readonly<Record<string, unknown>>
  /** A form has no `input` field: its fields are the input. */
  readonly isForm: boolean
}

const MAX_FORM_FIELDS = 1000

export const NO_BODY: TriggerBody = { fields: {}, isForm: false }

/**
 * Reads a JSON or form-encoded body. It is read in the context of the HTTP event, before the
 * workflow runs, so that steps can read it again.
 */
export function readBody(maxBytes: number): Promise<TriggerBody> {
  const request = useRequest()
  if (!isSupportedEncoding(request.headers['content-encoding'])) {
    return Promise.reject(badRequest('The body is compressed in a way that is not supported.', 415))
  }
  if (maxBytes < request.getMaxInflated()) request.setMaxInflated(maxBytes)
  // `then`, because to await what is not quite a promise takes four of them.
  return request.rawBody().then(
    bytes => parseBody(bytes, request.headers['content-type'] ?? ''),
    error => {
      throw unreadable(error)
    },
  )
}

function parseBody(bytes: Buffer, contentType: string): TriggerBody {
  if (!isUtf8(bytes)) throw unreadable()
  const text = bytes.toString('utf8')
  if (text.trim() === '') return NO_BODY
  const type = mediaTypeOf(contentType)
  if (type === 'application/json') return { fields: parseJson(text), isForm: false }
  if (type === 'application/x-www-form-urlencoded') return { fields: parseForm(text), isForm: true }
  if (type === 'multipart/form-data') throw badRequest('Files cannot be sent here.', 415)
  throw badRequest('The body must be JSON or form-encoded.', 415)
}

function mediaTypeOf(header: string): string {
  const end = header.indexOf(';')
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
}

// Whatever goes wrong is the body's fault: it is cut off, does not decompress, is no UTF-8.
function unreadable(error?: unknown): HttpRejection {
  const tooLarge = error instanceof HttpError && error.body.statusCode === 413
  return tooLarge
    ? badRequest('The body is too large.', 413)
    : badRequest('The body could not be read.')
}

function parseJson(text: string): Record<string, unknown> {
  const body = parse(text)
  if (!isRecord(body)) {
    throw badRequest('The body must be a JSON object.')
  }
  assertCleanKeys(body)
  return body
}

// The parser's own message quotes the body, which may hold a password.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

function parseForm(text: string): Record<string, unknown> {
  const fields = new Map<string, string | string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FORM_FIELDS) {
      throw badRequest('The form has too many fields.')
    }
    const earlier = fields.get(name)
    fields.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  const record = Object.fromEntries(fields)
  if (isMisread(text, fields)) throw badRequest('The form must be encoded as UTF-8.')
  assertCleanKeys(record)
  return record
}

/** Whether something was read that was not sent: the parser replaces what is no UTF-8. */
function isMisread(text: string, fields: ReadonlyMap<string, string | string[]>): boolean {
  const read = [...fields].flat(2).some(part => part.includes('\uFFFD'))
  return read && !/\uFFFD|%ef%bf%bd/iu.test(text)
}
