/** How long whoever decides may take. */
export class ApprovalTimes {
  constructor(
    private readonly remindMs: number,
    private readonly escalateMs: number,
  ) {}

  /** Until when the first ones are waited for; 0 is for ever, or not at all. */
  get deadline() {
    const { remindMs, escalateMs } = this
    if (escalateMs === 0) return undefined
    const remindEveryMs = remindMs || undefined
    return { afterMs: escalateMs, remindEveryMs, onTimeout: 'escalate' }
  }
}
