import { WfError } from '../errors'
import type { WfOutlet } from '../outlets'
import type { NamedStrategy } from '../strategies'

/** A run and its history stay together. */
export function assertMayLeave({ name, strategy }: NamedStrategy, target: NamedStrategy): void {
  if (!strategy.guarantees?.crashSafe) return
  throw new WfError(
    'WF_CONFIG',
    `A flow may move into the strategy "${name}", and not from there to "${target.name}": its run would be left behind.`,
  )
}

/** What is sent to others is of use once. */
export function assertSingleUse({ name, strategy }: NamedStrategy, outlet: WfOutlet): void {
  if (strategy.guarantees?.singleUse) return
  throw new WfError(
    'WF_CONFIG',
    `The outlet "${outlet.name}" sends tokens to others, so they must be single-use, and the ` +
      `strategy "${name}" does not promise that: its guarantees.singleUse is not true.`,
  )
}
