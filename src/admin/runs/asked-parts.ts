import type { WfRunView } from '../../runs'

/** The part of somebody who is asked. */
export interface AskedPart {
  /** Names it, as `runs.reassign()` takes it. */
  readonly id: string
  /** The address of whoever has it. */
  readonly to: string
  readonly hasAnswered: boolean
}

/** Who is asked by a run: several people, the only one, or nobody. */
export function partsOf({ asked, recipient }: Pick<WfRunView, 'asked' | 'recipient'>): AskedPart[] {
  if (asked) {
    return asked.people.map(({ id, to, answeredAt }) => ({
      id,
      to,
      hasAnswered: answeredAt !== undefined,
    }))
  }
  return recipient === undefined ? [] : [{ id: recipient, to: recipient, hasAnswered: false }]
}

/** People write their address in capitals as well. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (one.includes('@') && one.toLowerCase() === other.toLowerCase())
