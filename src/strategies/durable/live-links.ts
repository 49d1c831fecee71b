import type { WfRunLink } from '../../state'
import { isLive } from './is-live'
import type { RunNote } from './run-note'

/** Of all links of a run, those by which it can be answered, the one that was made last first. */
export function liveLinks(links: readonly WfRunLink[], note: RunNote): WfRunLink[] {
  return links
    .filter(link => isLive(link, note))
    .toSorted((one, other) => other.createdAt - one.createdAt)
}
