import type { WfAdminRunState } from '@atscript/moost-wf/admin'
import type { Condition } from './conditions'

/** What operators ask for again and again. Each is an address that one can keep. */
export interface RunPreset {
  readonly label: string
  readonly state: WfAdminRunState
  readonly conditions: readonly Condition[]
}

const DAY = 24 * 60 * 60_000

export const RUN_PRESETS: readonly RunPreset[] = [
  {
    label: 'Stuck over a week',
    state: 'live',
    conditions: [{ column: 'updatedAt', operator: 'longerAgo', value: 7 * DAY }],
  },
  {
    label: 'Expiring today',
    state: 'live',
    conditions: [{ column: 'expiresAt', operator: 'within', value: DAY }],
  },
  {
    label: 'Failed more than once',
    state: 'error',
    conditions: [{ column: 'attempts', operator: '$gt', value: 1 }],
  },
]

/** The page that shows it. */
export function pathOfPreset({ state, conditions }: RunPreset): string {
  return `/admin/runs?${new URLSearchParams({ state, where: JSON.stringify(conditions) })}`
}
