import type { WfOutletRequest } from '../outlets'
import { holdsSecret, type WfRecipient } from '../state'
import type { NamedStrategy } from '../strategies'

/**
 * Whom a pause goes to; `undefined` for one without an address.
 *
 * @param keeper the strategy that keeps it; where that has little room, or would keep a code in a
 * history for weeks, what the message was told is not kept
 */
export function recipientOf(
  { outlet, target, template, context }: WfOutletRequest,
  { strategy }: Pick<NamedStrategy, 'strategy'>,
): WfRecipient | undefined {
  if (typeof target !== 'string' || target === '') return undefined
  const isLeftOut = strategy.fits || (strategy.guarantees?.crashSafe && holdsSecret(context))
  return { outlet, target, template, context: isLeftOut ? undefined : context }
}
