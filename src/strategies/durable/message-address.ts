import { isRecord } from '../../state'

/** Whom a message goes to by what its outlet is given; `undefined` for one without an address. */
export function addressOf(request: unknown): string | undefined {
  const { target } = isRecord(request) ? request : {}
  return typeof target === 'string' ? target : undefined
}
