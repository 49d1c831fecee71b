import { isRecord } from '../state'
import type { WfOutlet, WfOutletRequest } from './wf-outlet'

/** Options of {@link createHttpOutlet}. */
export interface HttpOutletOptions {
  /**
   * Makes the body of the answer.
   * @default the payload, with the context's keys beside its own
   */
  readonly transform?:
    | ((payload: unknown, context: WfOutletRequest['context']) => Readonly<Record<string, unknown>>)
    | undefined
}

/**
 * Answers the caller with the payload.
 *
 * @example
 * ```ts
 * import { createHttpOutlet } from '@atscript/moost-wf'
 *
 * const http = createHttpOutlet({ transform: (payload, context) => ({ ask: payload, context }) })
 * ```
 */
export function createHttpOutlet({ transform = spread }: HttpOutletOptions = {}): WfOutlet {
  return {
    name: 'http',
    tokenDelivery: 'caller',
    isRepeatable: true,
    deliver: ({ payload, context }) => ({ response: transform(payload, context) }),
  }
}

/** What an answer has at its top that is more than a form to be shown. */
const ENVELOPE_KEYS = ['finished', 'sent', 'outlet', 'error']

/**
 * Answers the caller in the envelope that form clients speak. A payload that is an envelope itself, with
 * `finished`, `sent`, `outlet` or `error` at its top, goes out as it is.
 *
 * @example
 * ```ts
 * import { createAsHttpOutlet } from '@atscript/moost-wf'
 *
 * const outlets = [createAsHttpOutlet()]
 * ```
 */
export function createAsHttpOutlet(): WfOutlet {
  return createHttpOutlet({
    transform: (payload, context = {}) =>
      isEnvelope(payload) ? payload : { inputRequired: { payload, transport: 'http', context } },
  })
}

function isEnvelope(payload: unknown): payload is Readonly<Record<string, unknown>> {
  return isRecord(payload) && ENVELOPE_KEYS.some(key => payload[key] !== undefined)
}

function spread(payload: unknown, context: WfOutletRequest['context']) {
  return { ...(isRecord(payload) ? payload : { payload }), ...context }
}
