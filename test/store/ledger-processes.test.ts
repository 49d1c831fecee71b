import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'
import { root } from '../support/project'
import { scaled } from '../support/scale'

const PROCESSES = 4
const RACERS = 25
const KEYS = scaled(20, 200)

interface Outcome {
  readonly wins: number
  readonly counts: readonly number[]
}

/** A process of its own that races when it is told to. */
async function startRacer(engine: string, url: string) {
  const args = [engine, url, `${KEYS}`, `${RACERS}`]
  const child = fork(join(root, 'test/support/ledger-racer.mjs'), args)
  onTestFinished(() => void child.kill())
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`A racer ended with ${code} before it had told its outcomes.`)
  })
  const heard = async () => (await Promise.race([once(child, 'message'), gone]))[0] as unknown
  gone.catch(() => {})
  await heard()
  return async () => {
    const outcomes = heard()
    child.send('go')
    return (await outcomes) as Outcome[]
  }
}

describe.each(testEngines())('4 processes on $name', engine => {
  const { open, url, table } = useLedgerDatabase(engine)

  it('have one winner for each key, and count each increment once, also at expiry', async () => {
    const { ledger } = await open()
    // Half of the keys begin with an entry that expired long ago, which all want to replace at once.
    for (let key = 0; key < KEYS; key += 2) {
      await ledger.put('token', `${key}`, 'old', 1)
      await ledger.put('attempts', `${key}`, 'old', 1)
    }
    const racers = await Promise.all(
      Array.from({ length: PROCESSES }, () => startRacer(engine.name, url())),
    )
    const outcomes = await Promise.all(racers.map(run => run()))

    const all = Array.from({ length: PROCESSES * RACERS }, (_, n) => n + 1)
    for (let key = 0; key < KEYS; key++) {
      const ofKey = outcomes.map(outcome => outcome[key]!)
      expect(ofKey.reduce((wins, outcome) => wins + outcome.wins, 0)).toBe(1)
      const counts = ofKey.flatMap(outcome => outcome.counts)
      expect(counts.toSorted((one, other) => one - other)).toEqual(all)
    }
    const rows = await table().findMany({ filter: {} })
    expect(rows).toHaveLength(KEYS * 2)
    expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([PROCESSES * RACERS]))
  })
})
