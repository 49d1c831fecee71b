import type { WfAdminColumn } from '@atscript/moost-wf/admin'

const numbers = new Intl.NumberFormat('en-US')

/** A value of a column that is not a time, for people. */
export function cellText({ type }: WfAdminColumn, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (type === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return numbers.format(value)
  return String(value)
}

export const count = (value: number): string => numbers.format(value)
