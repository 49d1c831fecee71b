import { openMysql } from '../../dist/db/mysql/index.mjs'
import { createDatabase } from '../tables/databases/mysql.mjs'
import { createTablesByHand } from './on-postgres.mjs'
import { durableRuns } from './ours/durable-runs.mjs'
import { mariadbByHand } from './raw/mariadb.mjs'
import { measureRuns, shown, speed } from './rounds.mjs'

const CONNECTIONS = 10

export async function onMariadb() {
  const rows = []
  const figures = []
  const { url, drop } = await createDatabase('_ours')
  const open = () => openMysql(url, { maxConnections: CONNECTIONS })
  const contenders = []
  try {
    await createTablesByHand(open)
    const ours = await durableRuns(open())
    const raw = mariadbByHand(url)
    contenders.push(ours, raw)
    for (const [load, atLeast] of [
      [{ inFlight: 1, perRound: 20 }, 1.3],
      [{ inFlight: 32, perRound: 96 }, undefined],
    ]) {
      const { inFlight } = load
      const results = await measureRuns({ ours, 'by hand': raw }, load)
      rows.push(...shown(results, { database: 'MariaDB', inFlight, what: 'A' }))
      const figure = `MariaDB, A, ${inFlight} in flight, by hand / ours`
      figures.push({ figure, value: speed(results, 'by hand'), atLeast })
    }
  } finally {
    for (const { close } of contenders) await close()
    await drop()
  }
  return { rows, figures }
}
