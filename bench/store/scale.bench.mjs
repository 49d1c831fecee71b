import { setTimeout as pause } from 'node:timers/promises'
import { AsWfStore } from '../../dist/store/index.mjs'
import { Unreachable } from '../tables/databases/unreachable.mjs'
import { newRow, StateRow } from '../tables/state-row.mjs'
import { databases } from './filled-databases.mjs'

const FEW = 10_000
const MANY = Number(process.env.WF_BENCH_ROWS ?? 1_000_000)
const QUERIES = 2000
const SETS = 1000

export const title = `Store at scale: ${MANY.toLocaleString('en')} paused flows`

export async function run() {
  const rows = []
  const figures = []
  for (const [name, open] of Object.entries(databases)) {
    try {
      const measured = await measure(name, open)
      rows.push(measured.row)
      console.log(`${name}: measured ${JSON.stringify(measured.row)}`)
      figures.push(...measured.figures)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      figures.push({ figure: `${name}, many / few`, notMeasured: error.message })
    }
  }
  return { rows, figures }
}

async function measure(name, open) {
  const { space, fill, drop } = await open()
  try {
    const table = space.table(StateRow)
    await space.sync()
    const store = new AsWfStore({ table })

    await fill(1, FEW)
    await searches(store, FEW)
    const few = await searches(store, FEW)
    console.log(`${name}: making rows`)
    await fill(FEW + 1, MANY)
    await searches(store, MANY)
    const many = await searches(store, MANY)

    await sets(store)
    const idle = await sets(store)
    // A tenth of the rows, as if their columns had just been added.
    const invitations = { schemaId: 'users/invite' }
    await table.updateMany(invitations, { inviteEmail: null, inviteRole: null })
    const healing = await whileSetting(store, () => store.heal({ filter: invitations }))
    const cleaning = await whileSetting(store, () => store.cleanup())
    const drift = await store.drift({ filter: invitations })
    if (drift !== 0) throw new Error(`${drift} rows were not healed`)
    return {
      row: {
        database: name,
        'search p99 ms, few': few.toFixed(2),
        'search p99 ms, many': many.toFixed(2),
        'set p99 ms, idle': idle.toFixed(2),
        'in heal': healing.p99.toFixed(2),
        'in cleanup': cleaning.p99.toFixed(2),
        'healed/s': Math.round(healing.perSecond),
        'cleaned/s': Math.round(cleaning.perSecond),
      },
      figures: [
        { figure: `${name}, search p99, many / few`, value: many / few, atMost: 3 },
        { figure: `${name}, set p99, in a heal / idle`, value: healing.p99 / idle },
        { figure: `${name}, set p99, in a cleanup / idle`, value: cleaning.p99 / idle },
      ],
    }
  } finally {
    await space.close()
    await drop()
  }
}

/** An admin looks for someone by a shadow column. */
async function searches(store, rows) {
  const times = []
  for (let query = 0; query < QUERIES; query++) {
    const email = `user${1 + Math.floor(Math.random() * rows)}@example.com`
    const start = performance.now()
    const found = await store.list({ filter: { inviteEmail: email } })
    times.push(performance.now() - start)
    if (found.length !== 1) throw new Error(`found ${found.length} rows`)
  }
  return p99(times)
}

/** Flows pause, a few milliseconds apart, until there were enough of them, or `isOver`. */
async function sets(store, isOver = times => times.length >= SETS) {
  const times = []
  while (!isOver(times)) {
    const { handle, schemaId, state } = newRow()
    const start = performance.now()
    await store.set(handle, { schemaId, ...state })
    times.push(performance.now() - start)
    await pause(1)
  }
  return p99(times)
}

async function whileSetting(store, work) {
  let isOver = false
  const setting = sets(store, () => isOver)
  const start = performance.now()
  const count = await work()
  const perSecond = (count * 1000) / (performance.now() - start)
  isOver = true
  return { p99: await setting, perSecond }
}

function p99(times) {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]
}
