import type { WfErrorCode } from '../errors'
import type { WfOutletRequest } from '../outlets'
import { formatToken } from '../state'
import { codeSpellings } from './link-code'
import { redactTokens } from './redact-tokens'
import type { RunConfig } from './run-config'

/** A message that was kept, and is delivered behind its pause. */
export interface KeptMessage {
  readonly messageId: string
  /** The name of the outlet. */
  readonly outlet: string
  /** What the outlet is given. */
  readonly request: Readonly<Record<string, unknown>>
  /** The name of the strategy that keeps its run, and what that knows the link by. */
  readonly strategy: string
  readonly handle: string
  readonly code?: string | undefined
}

/** Why a message is not for this build, if it is not. */
export function whyNotDeliverable(
  { allows, outlets }: Pick<RunConfig, 'allows' | 'outlets'>,
  schemaId: string,
  outlet: string,
): WfErrorCode | undefined {
  if (!allows(schemaId)) return 'WF_NOT_ALLOWED'
  return outlets.get(outlet)?.tokenDelivery === 'out-of-band' ? undefined : 'WF_CONFIG'
}

/**
 * Delivers a message that was kept. Nobody is there to be answered.
 *
 * @throws what the outlet throws, without the token and the code
 */
export async function deliverMessage(
  { outlets }: Pick<RunConfig, 'outlets'>,
  { messageId, outlet, request, strategy, handle, code }: KeptMessage,
): Promise<void> {
  const token = formatToken({ name: strategy, raw: handle })
  const details = code === undefined ? { messageId } : { messageId, code }
  try {
    // As the step has written it, through JSON.
    await outlets.get(outlet)?.deliver(request as unknown as WfOutletRequest, token, details)
  } catch (error) {
    throw redactTokens(error, [token, ...codeSpellings(code)])
  }
}
