import type { WfOutletRequest } from '../outlets'
import type { WfRecipient } from '../state'
import type { NamedStrategy } from '../strategies'

/**
 * Whom a pause goes to; `undefined` for one without an address.
 *
 * @param keeper the strategy that keeps it; where that has little room, the message is not kept
 */
export function recipientOf(
  { outlet, target, template, context }: WfOutletRequest,
  { strategy }: Pick<NamedStrategy, 'strategy'>,
): WfRecipient | undefined {
  if (typeof target !== 'string' || target === '') return undefined
  return { outlet, target, template, context: strategy.fits ? undefined : context }
}
