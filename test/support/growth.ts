const ROUNDS = 11
const ATTEMPTS = 6
const SHORTEST_MS = 4

/** What is linear takes twice as long for twice as much; what is quadratic, four times. */
export const LINEAR = 2.5

/**
 * How many times as long a work takes at twice the size. Both sizes are measured in turn, in time of
 * this process, and the fastest of each are compared: what else happens in it, such as collecting what other
 * tests have left, only adds to that. It may be measured again; what grows faster does so every time.
 */
export function growthOf(work: (size: number) => unknown, size: number): number {
  const repeats = repeatsFor(() => work(size))
  const time = (measured: number) =>
    cpuTime(() => {
      for (let repeat = 0; repeat < repeats; repeat++) work(measured)
    })
  let growth = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && growth > LINEAR; attempt++) {
    const rounds = Array.from({ length: ROUNDS }, () => [time(size), time(2 * size)] as const)
    const fastest = (times: readonly number[]) => Math.min(...times)
    growth = fastest(rounds.map(([, twice]) => twice)) / fastest(rounds.map(([once]) => once))
  }
  return growth
}

/** How often a work must be done, once it is warm, to be measured at all. */
function repeatsFor(work: () => unknown): number {
  let repeats = 1
  const time = () =>
    cpuTime(() => {
      for (let repeat = 0; repeat < repeats; repeat++) work()
    })
  while (time() < SHORTEST_MS && repeats < 10_000) repeats *= 2
  return repeats
}

/** Milliseconds that this process has worked. */
export function cpuTime(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!
}
