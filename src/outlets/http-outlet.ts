import type { WfOutlet, WfOutletRequest } from './wf-outlet'

export interface HttpOutletOptions {
  /**
   * Makes the body of the answer.
   * @default the payload, with the context's keys beside its own
   */
  readonly transform?: (
    payload: unknown,
    context: WfOutletRequest['context'],
  ) => Readonly<Record<string, unknown>>
}

/** Answers the caller with the payload. */
export function createHttpOutlet({ transform = spread }: HttpOutletOptions = {}): WfOutlet {
  return {
    name: 'http',
    tokenDelivery: 'caller',
    deliver: async ({ payload, context }) => ({ response: transform(payload, context) }),
  }
}

/** Answers the caller in the envelope that form clients speak. */
export function createAsHttpOutlet(): WfOutlet {
  return createHttpOutlet({
    transform: (payload, context) => ({
      inputRequired: { payload, transport: 'http', context: context ?? {} },
    }),
  })
}

function spread(payload: unknown, context: WfOutletRequest['context']) {
  const isRecord = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  return { ...(isRecord ? payload : { payload }), ...context }
}
