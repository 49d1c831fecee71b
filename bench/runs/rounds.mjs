import { inTurns, median } from '../measure/statistics.mjs'

const ROUNDS = Number(process.env.WF_BENCH_ROUNDS ?? 15)
/** How long each is run before: a server is warm for most of its life, and V8 compiles what runs often. */
const WARM_UP_MS = 3000

/** @returns for each contender, round by round, microseconds for a run */
export function measureRuns(contenders, load) {
  return measure(contenders, load, ({ run }) => timed(load, () => run()))
}

/** @returns the same for a start up to the pause, and for an answer up to the end */
export function measureAnswers(contenders, load) {
  return measure(contenders, load, async ({ begin, answer }) => {
    const waiting = []
    const begun = await timed(load, async () => void waiting.push(await begin()))
    const answered = await timed(load, () => answer(waiting.pop()))
    return { begun, answered, both: begun + answered }
  })
}

async function measure(contenders, { rounds = ROUNDS }, once) {
  const measures = Object.fromEntries(
    Object.entries(contenders).map(([name, contender]) => [name, () => once(contender)]),
  )
  for (const run of Object.values(measures)) await warmUp(run)
  return inTurns(rounds, measures)
}

async function warmUp(run) {
  const until = performance.now() + WARM_UP_MS
  while (performance.now() < until) await run()
}

async function timed({ inFlight, perRound }, work) {
  let left = perRound
  const lane = async () => {
    while (left-- > 0) await work()
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, lane))
  return ((performance.now() - start) * 1000) / perRound
}

/** How many times as fast ours is as another, in the median round. */
export function speed(results, other, pick = us => us) {
  return median(results.ours.map((ours, round) => pick(results[other][round]) / pick(ours)))
}

/** What was measured, to show that the load was real. */
export function shown(results, what, pick = us => us) {
  return Object.entries(results).map(([contender, rounds]) => {
    return { ...what, contender, us: Math.round(median(rounds.map(pick))) }
  })
}
