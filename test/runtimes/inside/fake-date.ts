const RealDate = globalThis.Date

/** As much of vitest's `vi` as the suites ask for: the clock of the machine, set to something else. */
export const vi = {
  useFakeTimers({ now, toFake }: { now: number; toFake: readonly string[] }): void {
    if (toFake.join() !== 'Date') throw new Error('Only Date can be faked here.')
    globalThis.Date = class extends RealDate {
      constructor(...given: []) {
        super(...((given.length === 0 ? [now] : given) as []))
      }
      static override now(): number {
        return now
      }
    } as DateConstructor
  },
  useRealTimers(): void {
    globalThis.Date = RealDate
  },
}
