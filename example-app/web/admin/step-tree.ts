import type { WfAdminGroup, WfAdminStep } from '@atscript/moost-wf/admin'

/** A group of steps, or one step, at its place in a workflow. */
export type StepNode =
  | { readonly kind: 'step'; readonly key: string; readonly step: WfAdminStep }
  | {
      readonly kind: 'group'
      readonly key: string
      readonly group: WfAdminGroup
      readonly nodes: readonly StepNode[]
    }

/** Puts steps into the groups that they are in, each in its order. */
export function stepTree(
  steps: readonly WfAdminStep[],
  groups: readonly WfAdminGroup[],
): StepNode[] {
  return nodesIn([], steps, groups)
}

function nodesIn(
  path: readonly number[],
  steps: readonly WfAdminStep[],
  groups: readonly WfAdminGroup[],
): StepNode[] {
  const children = groups.filter(group => isParent(path, group.path, groups))
  const own = steps.filter(step => isParent(path, step.path, groups))
  const nodes: StepNode[] = [
    ...own.map(step => ({ kind: 'step' as const, key: step.path.join('.'), step })),
    ...children.map(group => groupNode(group, nodesIn(group.path, steps, groups))),
  ]
  return nodes.toSorted((one, other) => comparePaths(pathOf(one), pathOf(other)))
}

/** A group around one step that may be skipped says nothing that the step does not say itself. */
function groupNode(group: WfAdminGroup, nodes: readonly StepNode[]): StepNode {
  const [only] = nodes
  if (only && nodes.length === 1 && group.kind === 'group') return only
  return { kind: 'group', key: group.path.join('.'), group, nodes }
}

const pathOf = (node: StepNode) => (node.kind === 'step' ? node.step.path : node.group.path)

/** Whether the innermost group around `path` is the one at `parent`; the workflow itself is at []. */
function isParent(
  parent: readonly number[],
  path: readonly number[],
  groups: readonly WfAdminGroup[],
): boolean {
  if (!isWithin(path, parent)) return false
  return !groups.some(group => group.path.length > parent.length && isWithin(path, group.path))
}

const isWithin = (path: readonly number[], around: readonly number[]): boolean =>
  around.length < path.length && around.every((index, at) => index === path[at])

function comparePaths(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((index, level) => index !== other[level])
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? 0)
}
