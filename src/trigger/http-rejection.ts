import { Rejection } from '../run'

/** A request that is refused for what it is as a request, before any workflow is looked at. */
export class HttpRejection extends Rejection<'WF_BAD_REQUEST' | 'WF_METHOD' | 'WF_FOREIGN_ORIGIN'> {
  constructor(
    code: 'WF_BAD_REQUEST' | 'WF_METHOD' | 'WF_FOREIGN_ORIGIN',
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, { message })
  }
}

/** A body, a query or a header that makes no sense. */
export function badRequest(message: string, status = 400): HttpRejection {
  return new HttpRejection('WF_BAD_REQUEST', status, message)
}

/** The answer to a method that is neither POST nor a look at a token. */
export function wrongMethod(): HttpRejection {
  const headers = { allow: 'POST' }
  return new HttpRejection('WF_METHOD', 405, 'This address takes POST requests.', headers)
}
