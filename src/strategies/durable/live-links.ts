import type { WfRunLink } from '../../state'
import type { RunNote } from './run-note'

/** Of all links of a run, those by which it can be answered, the one that was made last first. */
export function liveLinks(links: readonly WfRunLink[], { pause }: RunNote): WfRunLink[] {
  return links
    .filter(link => link.pause === pause)
    .toSorted((one, other) => other.createdAt - one.createdAt)
}
