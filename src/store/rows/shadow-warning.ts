import type { ShadowField } from './shadow-field'
import type { WfTableType } from './wf-table'

const seen = new WeakMap<WfTableType, Set<string>>()

/** Whether this process has not yet complained about the column. */
export function isFirstTime(type: WfTableType, { column }: ShadowField): boolean {
  const columns = seen.get(type) ?? new Set()
  seen.set(type, columns)
  return columns.size !== columns.add(column).size
}

/** Says what is wrong; never shows the value, which is someone's data. */
export function describeMisfit(field: ShadowField, value: unknown): string {
  const { column, path, primitive, hasDefault } = field
  const outcome = hasDefault ? 'keeps what it had, or its default' : 'is left empty'
  const actual = Array.isArray(value) ? 'a list' : `of type ${typeof value}`
  const problem =
    typeof value === primitive ? 'nothing that the column takes' : `${actual}, not ${primitive}`
  return `[moost-wf] The context's "${path.join('.')}" is ${problem}; the shadow column "${column}" ${outcome}.`
}
