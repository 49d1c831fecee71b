import { changesOf, healRows, type WfHealOptions } from '../rows/heal-rows'
import type { StateRows } from './state-rows'

/** Writes shadow columns that are not as the hooks would write them now. @returns of how many rows */
export function healStates({ rows, hooks }: StateRows, options: WfHealOptions): Promise<number> {
  return healRows(
    rows,
    row => {
      const payload: Record<string, unknown> = { ...row }
      hooks.applyShadows(payload, hooks.assembleResult(row).state)
      return changesOf(row, payload)
    },
    options,
  )
}
