import { stateOf } from '../measure/sized-state.mjs'
import { inTurns, median } from '../measure/statistics.mjs'
import { contenders } from './contenders.mjs'

const ROUNDS = 15
const ROUND_MS = 60
const SIZES = { '200 B': [200, 1.6], '2 KB': [2048, 1.45], '16 KB': [16_384, 1.25] }
const [BASELINE, OURS] = Object.keys(contenders)

export const title = 'Tokens: persist + consume, time against bare node:crypto AES-256-GCM + JSON'

export async function run() {
  const rows = []
  const figures = []
  for (const [size, [bytes, atMost]] of Object.entries(SIZES)) {
    const state = stateOf(bytes)
    const measures = Object.fromEntries(
      Object.entries(contenders).map(([name, contender]) => [name, () => micros(contender, state)]),
    )
    await inTurns(3, measures)
    const results = await inTurns(ROUNDS, measures)
    const ratioOf = name => median(results[name].map((time, i) => time / results[BASELINE][i]))
    for (const name of Object.keys(contenders)) {
      const us = Math.round(median(results[name]))
      rows.push({ context: size, contender: name, us, ratio: Number(ratioOf(name).toFixed(2)) })
    }
    figures.push({ figure: `${size}, ours / bare`, value: ratioOf(OURS), atMost })
  }
  return { rows, figures }
}

async function micros(contender, state) {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < ROUND_MS) {
    const token = await contender.persist(state)
    const { schemaId } = await contender.consume(token)
    if (schemaId !== state.schemaId) throw new Error('a wrong state came back')
    count++
  }
  return ((performance.now() - start) * 1000) / count
}
