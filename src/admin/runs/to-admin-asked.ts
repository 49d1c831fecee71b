import type { WfRunLinkView, WfRunPerson, WfRunView } from '../../runs'
import type { WfRunEvent } from '../../state'
import type { WfAdminAsked, WfAdminPerson, WfAdminRunMessage } from './run-answers'

/** What is known of whoever is asked. */
interface AskedRun {
  readonly run: WfRunView
  readonly links: readonly WfRunLinkView[]
  readonly messages: readonly WfAdminRunMessage[]
  readonly events: readonly WfRunEvent[]
  readonly now: number
}

/**
 * Who is asked by a run that waits for people, what they have said, and by which links they can.
 *
 * @param show what may be shown of a value
 */
export function toAdminAsked(
  { run, links, messages, events, now }: AskedRun,
  show: (value: unknown) => unknown,
): WfAdminAsked | null {
  const { asked, recipient } = run
  const since = events.findLast(({ type }) => type === 'paused')?.seq ?? 0
  const handOvers = events.filter(({ type, seq }) => type === 'reassigned' && seq > since)
  const tell = (person: WfRunPerson, seat: string | undefined): WfAdminPerson => {
    const { id, to, user, answeredAt, by, action, input } = person
    const hasAnswered = answeredAt !== undefined
    const link = hasAnswered && !asked?.canChange ? null : linkFor(links, seat)
    const isLive = link !== null && (link.expiresAt === null || link.expiresAt > now)
    const canBeSent = seat !== undefined || messages.some(({ isAwaited }) => isAwaited)
    return {
      id,
      to,
      user: user ?? null,
      state: stateOf(person),
      answeredAt: answeredAt ?? null,
      by: by ?? null,
      action: action ?? null,
      said: show(input ?? null),
      link,
      handedOn: lastHandOver(handOvers, seat, to),
      canReassign: !hasAnswered && isLive && canBeSent,
    }
  }
  if (asked) {
    const { outcome, agreed, refused, needed, canChange, people } = asked
    const shown = people.map(person => tell(person, person.id))
    return { outcome, agreed, refused, needed, canChange, people: shown }
  }
  if (recipient === undefined) return null
  const person = tell({ id: recipient, to: recipient }, undefined)
  return { outcome: 'open', agreed: 0, refused: 0, needed: 1, canChange: false, people: [person] }
}

function stateOf({ answeredAt, stance }: WfRunPerson): WfAdminPerson['state'] {
  if (answeredAt === undefined) return 'waiting'
  if (stance === undefined) return 'answered'
  return stance === 'for' ? 'agreed' : 'refused'
}

/** All of them as one: a reminder carries a link of its own. */
function linkFor(links: readonly WfRunLinkView[], seat: string | undefined): WfAdminPerson['link'] {
  const theirs = links.filter(link => link.seat === seat && link.audience === 'out-of-band')
  if (theirs.length === 0) return null
  const last = Math.max(...theirs.map(({ expiresAt = Infinity }) => expiresAt))
  const openedAt = Math.max(...theirs.map(link => link.openedAt ?? 0))
  return {
    expiresAt: last === Infinity ? null : last,
    opens: theirs.reduce((sum, { opens }) => sum + opens, 0),
    openedAt: openedAt > 0 ? openedAt : null,
  }
}

/** How somebody has come to their part, unless it was theirs from the beginning. */
function lastHandOver(
  events: readonly WfRunEvent[],
  seat: string | undefined,
  to: string,
): WfAdminPerson['handedOn'] {
  const last = events.findLast(({ detail }) => detail.seat === seat && detail.to === to)
  if (!last) return null
  const { at, actor = null, detail } = last
  const reason = typeof detail.reason === 'string' ? detail.reason : null
  return { from: String(detail.from), at, by: actor, reason }
}
