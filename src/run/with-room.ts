import { type Awaitable, notesOf, whenKnown, withNotes } from '../state'
import type { NamedStrategy } from '../strategies'
import type { PausePlan } from './plan-pause'
import { assertSingleUse } from './strategy-rules'

/** The same pause in the overflow strategy, if its state does not fit where it should go. */
export function withRoom(plan: PausePlan, overflow: NamedStrategy): Awaitable<PausePlan> {
  const fits = plan.target.strategy.fits?.(plan.next) ?? true
  return whenKnown(fits, isRoom => (isRoom ? plan : inOverflow(plan, overflow)))
}

function inOverflow(plan: PausePlan, overflow: NamedStrategy): PausePlan {
  const { next, outlet, audience } = plan
  if (audience === 'out-of-band') assertSingleUse(overflow, outlet)
  const notes = notesOf(next)
  const pause = { ...notes?.pause, strategy: overflow.name }
  const moved = notes ? withNotes(next, { ...notes, pause }) : next
  return { ...plan, target: overflow, next: moved, keptRaw: undefined }
}
