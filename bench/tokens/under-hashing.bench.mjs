import { scrypt } from 'node:crypto'
import { inTurns, median } from '../measure/statistics.mjs'
import { contenders } from './contenders.mjs'

const ROUNDS = 7
const SAMPLES = 60
const HASHES = 8

export const title = 'Tokens: consume while 8 password hashes run, p50 against idle'

export async function run() {
  const rows = []
  const figures = []
  for (const name of ['ours, node:crypto', 'ours, jose', 'jose alone', 'iron-session']) {
    const contender = contenders[name]
    const token = await contender.persist({
      schemaId: 'a',
      indexes: [0],
      context: { a: 'x'.repeat(200) },
    })
    const idle = () => p50(contender, token)
    const busy = () => whileHashing(() => p50(contender, token))
    const results = await inTurns(ROUNDS, { idle, busy })
    const ratio = median(results.busy.map((time, i) => time / results.idle[i]))
    rows.push({
      contender: name,
      'idle us': Math.round(median(results.idle)),
      'busy us': Math.round(median(results.busy)),
      ratio: Number(ratio.toFixed(1)),
    })
    const atMost = name === 'ours, node:crypto' ? 3 : undefined
    figures.push({ figure: `${name}, busy / idle`, value: ratio, atMost })
  }
  return { rows, figures }
}

async function p50(contender, token) {
  const times = []
  for (let i = 0; i < SAMPLES; i++) {
    // Each sample in a turn of its own, as requests come.
    await new Promise(setImmediate)
    const start = performance.now()
    await contender.consume(token)
    times.push((performance.now() - start) * 1000)
  }
  return median(times)
}

async function whileHashing(work) {
  const hashing = { goesOn: true }
  const hashers = Array.from({ length: HASHES }, async () => {
    while (hashing.goesOn) {
      await new Promise(resolve => scrypt('password', 'salt', 64, { N: 16_384 }, resolve))
    }
  })
  const result = await work()
  hashing.goesOn = false
  await Promise.all(hashers)
  return result
}
