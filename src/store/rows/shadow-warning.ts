import { keepsWithoutValue, type ShadowField } from './shadow-field'
import type { WfTableType } from './wf-table'

const seen = new WeakMap<WfTableType, Set<string>>()

/** Whether this process has not yet complained about the column. */
export function isFirstTime(type: WfTableType, column: string): boolean {
  const columns = seen.get(type) ?? new Set()
  seen.set(type, columns)
  return columns.size !== columns.add(column).size
}

/** Says what is wrong. It is not told the value, which is someone's data. */
export function describeMisfit(
  column: string,
  spec: ShadowField | undefined,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): string {
  const place = spec ? `"${spec.path.join('.')}"` : 'value'
  const problem =
    actual === expected ? 'nothing that the column takes' : `of type ${actual}, not ${expected}`
  const outcome =
    spec && keepsWithoutValue(spec) ? 'keeps what it had, or its default' : 'is left empty'
  return `[moost-wf] The context's ${place} is ${problem}; the shadow column "${column}" ${outcome}.`
}
