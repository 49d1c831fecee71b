import type { WfOutletMessage } from '../../state'

/** Whom a message goes to; `undefined` for one without an address. */
export function recipientOf(message: WfOutletMessage | undefined): string | undefined {
  const { target } = (message?.request ?? {}) as { readonly target?: unknown }
  return typeof target === 'string' ? target : undefined
}
