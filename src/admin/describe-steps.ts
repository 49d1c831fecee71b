import type { WfDescription } from '../state'
import type { WfAdminFlow, WfAdminStep } from './admin-answers'

/** The steps of a workflow, seen from where a flow waits, and the groups that they are in. */
export function describeSteps(
  description: WfDescription | undefined,
  position: readonly number[] | undefined,
): Pick<WfAdminFlow, 'steps' | 'groups'> {
  if (!description) return { steps: [], groups: [] }
  const { steps, groups = [] } = description
  return {
    steps: steps.map(({ stepId, indexes }) => {
      const around = groups.filter(group => isWithin(indexes, group.indexes))
      return {
        id: stepId,
        path: indexes,
        status: position ? statusOf(indexes, position) : 'to-come',
        conditional: around.some(group => group.conditional),
        loop: around.some(group => group.kind === 'loop'),
      }
    }),
    groups: groups.map(({ indexes, ...group }) => ({ path: indexes, ...group })),
  }
}

function isWithin(path: readonly number[], group: readonly number[]): boolean {
  return group.length < path.length && group.every((index, at) => index === path[at])
}

function statusOf(path: readonly number[], position: readonly number[]): WfAdminStep['status'] {
  const at = path.findIndex((index, level) => index !== position[level])
  if (at < 0) return path.length === position.length ? 'waiting' : 'done'
  // A position that ends here stands before whatever is in this group.
  const reached = position[at] ?? -1
  return path[at]! < reached ? 'done' : 'to-come'
}
