import { pg } from '../measure/our-driver.mjs'
import { median } from '../measure/statistics.mjs'

const ROUNDS = 9
const RUNS = 20

/**
 * Statements and WAL of a run, and its transactions that write. Statements are counted where they
 * leave the driver; the WAL is the server's, so whoever else writes to it is counted in.
 */
export async function costOnPostgres(url, { ours, raw }) {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    const a = await countStatements(() => ours.run())
    const b = await countStatements(async () => ours.answer(await ours.begin()))
    return [
      { figure: 'PostgreSQL, statements of a run A', value: a.all, atMost: 8 },
      { figure: 'PostgreSQL, KB of WAL of a run A', value: await walOf(admin, ours), atMost: 10 },
      { figure: 'PostgreSQL, KB of WAL of a run A by hand', value: await walOf(admin, raw) },
      { figure: 'PostgreSQL, statements of a run B', value: b.all },
      { figure: 'PostgreSQL, transactions of a run B that write', value: b.writing, atMost: 4 },
    ]
  } finally {
    await admin.end()
  }
}

/** Every statement of ours is a transaction. */
async function countStatements(work) {
  const { query } = pg.Client.prototype
  let all = 0
  let writing = 0
  pg.Client.prototype.query = function count(config, ...rest) {
    all++
    if (/\b(?:insert|update|delete)\b/u.test(config.text ?? config)) writing++
    return query.call(this, config, ...rest)
  }
  try {
    for (let run = 0; run < RUNS; run++) await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return { all: all / RUNS, writing: writing / RUNS }
}

async function walOf(admin, { run }) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await walAt(admin)
    for (let at = 0; at < RUNS; at++) await run()
    rounds.push(((await walAt(admin)) - before) / RUNS / 1024)
  }
  return median(rounds)
}

async function walAt(admin) {
  const text = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at"
  return Number((await admin.query(text)).rows[0].at)
}
