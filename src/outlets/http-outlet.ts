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

/**
 * Answers the caller in the envelope that form clients speak.
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
    transform: (payload, context) => ({
      inputRequired: { payload, transport: 'http', context: context ?? {} },
    }),
  })
}

function spread(payload: unknown, context: WfOutletRequest['context']) {
  return { ...(isRecord(payload) ? payload : { payload }), ...context }
}
