import { stateOf } from '../measure/sized-state.mjs'
import { inTurns, median } from '../measure/statistics.mjs'
import { contenders } from './contenders.mjs'

const ROUNDS = 41
const WARM_UP_ROUNDS = 8
const ROUND_MS = 20
const SIZES = { '200 B': [200, 1.2], '2 KB': [2048, 1.2], '16 KB': [16_384, 1.1] }
const [BASELINE, OURS] = Object.keys(contenders)

export const title = 'Tokens: persist + consume, CPU against bare node:crypto AES-256-GCM + JSON'

export async function run() {
  const rows = []
  const figures = []
  for (const [size, [bytes, atMost]] of Object.entries(SIZES)) {
    const state = stateOf(bytes)
    const measures = Object.fromEntries(
      Object.entries(contenders).map(([name, contender]) => [name, () => micros(contender, state)]),
    )
    await inTurns(WARM_UP_ROUNDS, measures)
    const results = await inTurns(ROUNDS, measures)
    const ratioOf = name => median(results[name].map((us, i) => us / results[BASELINE][i]))
    for (const name of Object.keys(contenders)) {
      const us = Math.round(median(results[name]))
      rows.push({
        context: size,
        contender: name,
        'CPU us': us,
        ratio: Number(ratioOf(name).toFixed(2)),
      })
    }
    figures.push({ figure: `${size}, ours / bare`, value: ratioOf(OURS), atMost })
  }
  return { rows, figures }
}

async function micros(contender, state) {
  const before = process.cpuUsage()
  const start = performance.now()
  let count = 0
  while (performance.now() - start < ROUND_MS) {
    const token = await contender.persist(state)
    const { schemaId } = await contender.consume(token)
    if (schemaId !== state.schemaId) throw new Error('a wrong state came back')
    count++
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
