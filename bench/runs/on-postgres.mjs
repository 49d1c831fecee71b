import { openPostgres } from '../../dist/db/postgres/index.mjs'
import { EventRow, RunRow } from '../tables/commits/run-tables.mjs'
import { createDatabase } from '../tables/databases/postgres.mjs'
import { durableRuns } from './ours/durable-runs.mjs'
import { handleFlows } from './ours/handle-flows.mjs'
import { dbosRuns } from './peers/dbos.mjs'
import { openworkflowRuns } from './peers/openworkflow.mjs'
import { costOnPostgres } from './postgres-cost.mjs'
import { postgresByHand } from './raw/postgres.mjs'
import { measureAnswers, measureRuns, shown, speed } from './rounds.mjs'

const CONNECTIONS = 10
const ONE = { inFlight: 1, perRound: 20 }
const MANY = { inFlight: 32, perRound: 96 }
const FEW_ROUNDS = { rounds: 7 }

export async function onPostgres() {
  const rows = []
  const figures = []
  const add = (figure, value, limit) =>
    figures.push({ figure: `PostgreSQL, ${figure}`, value, ...limit })
  const databases = [await createDatabase('_ours'), await createDatabase('_dbos')]
  databases.push(await createDatabase('_openworkflow'))
  const [mine, theirs, others] = databases.map(({ url }) => url)
  const open = () => openPostgres(mine, { maxConnections: CONNECTIONS })
  const contenders = []
  const opened = contender => (contenders.push(contender), contender)
  try {
    await createTablesByHand(open)
    const ours = opened(await durableRuns(open()))
    const raw = opened(postgresByHand(mine))
    const handles = opened(await handleFlows(open()))

    for (const [load, atLeast] of [
      [ONE, { run: 1.5, begun: 1.6, answered: 1.2 }],
      [MANY, { run: 1.6 }],
    ]) {
      const { inFlight } = load
      const runs = await measureRuns({ ours, 'by hand': raw }, load)
      rows.push(...shown(runs, { database: 'PostgreSQL', inFlight, what: 'A' }))
      add(`A, ${inFlight} in flight, by hand / ours`, speed(runs, 'by hand'), {
        atLeast: atLeast.run,
      })
      const answers = await measureAnswers({ ours, 'by hand': raw, handles }, load)
      for (const [what, part] of [
        ['B1', 'begun'],
        ['B2', 'answered'],
      ]) {
        const pick = us => us[part]
        rows.push(...shown(answers, { database: 'PostgreSQL', inFlight, what }, pick))
        const figure = `${what}, ${inFlight} in flight, by hand / ours`
        add(figure, speed(answers, 'by hand', pick), { atLeast: atLeast[part] })
      }
      const cost = 1 / speed(answers, 'handles', ({ both }) => both)
      const limit = inFlight === 1 ? { atMost: 1.8 } : {}
      add(`B1 + B2, ${inFlight} in flight, ours / our handle strategy`, cost, limit)
    }

    figures.push(...(await costOnPostgres(mine, { ours, raw })))

    const dbos = opened(await dbosRuns(theirs, CONNECTIONS))
    for (const [load, atLeast] of [
      [ONE, { run: 4 }],
      [MANY, { run: 5, answered: 8 }],
    ]) {
      const { inFlight } = load
      const some = { ...load, ...FEW_ROUNDS }
      const runs = await measureRuns({ ours, DBOS: dbos }, some)
      rows.push(...shown({ DBOS: runs.DBOS }, { database: 'PostgreSQL', inFlight, what: 'A' }))
      add(`A, ${inFlight} in flight, DBOS / ours`, speed(runs, 'DBOS'), { atLeast: atLeast.run })
      const answers = await measureAnswers({ ours, DBOS: dbos }, some)
      const pick = ({ answered }) => answered
      rows.push(
        ...shown({ DBOS: answers.DBOS }, { database: 'PostgreSQL', inFlight, what: 'B2' }, pick),
      )
      const limit = { atLeast: atLeast.answered }
      add(`B2, ${inFlight} in flight, DBOS / ours`, speed(answers, 'DBOS', pick), limit)
    }

    const openworkflow = opened(await openworkflowRuns(others, MANY.inFlight))
    const runs = await measureRuns({ ours, openworkflow }, { ...MANY, rounds: 3 })
    const { inFlight } = MANY
    rows.push(
      ...shown(
        { openworkflow: runs.openworkflow },
        { database: 'PostgreSQL', inFlight, what: 'A' },
      ),
    )
    add(`A, ${inFlight} in flight, openworkflow / ours`, speed(runs, 'openworkflow'))
  } finally {
    for (const { close } of contenders) await close()
    for (const { drop } of databases) await drop()
  }
  return { rows, figures }
}

export async function createTablesByHand(open) {
  const space = open()
  for (const type of [RunRow, EventRow]) space.table(type)
  await space.sync()
  await space.close()
}
