import { randomUUID } from 'node:crypto'
import { transitionByHand } from '../../tables/commits/by-hand.mjs'
import { newContext, STEPS } from '../workflows.mjs'

/** The statements of a run by hand, with the quotes and marks of a database. */
export function textsByHand(dialect) {
  const { quote, mark } = dialect
  const { update, insert } = transitionByHand(dialect)
  const columns = ['id', 'version', 'status', 'state', 'commitId'].map(quote).join(', ')
  const marks = [1, 2, 3, 4, 5].map(mark).join(', ')
  const claimed = ['version', 'status'].map((name, at) => `${quote(name)} = ${mark(at + 1)}`)
  return {
    start: `insert into ${quote('runs')} (${columns}) values (${marks})`,
    update,
    claim: `update ${quote('runs')} set ${claimed.join(', ')} where ${quote('id')} = ${mark(3)} and ${quote('version')} = ${mark(4)} and ${quote('status')} = ${mark(5)} returning ${quote('state')}`,
    event: insert,
  }
}

/**
 * Runs whose every transition is a transaction of two statements.
 *
 * @param transact runs what it is given in a transaction: `execute(name, values)` runs a statement of
 * the texts, and gives back its rows and how many it has written
 */
export function runsByHand(transact) {
  const write = (name, values, { id, version }) =>
    transact(async execute => {
      const { affected, rows } = await execute(name, values)
      if (affected !== 1) throw new Error('A transition by hand was lost.')
      await execute('event', [randomUUID(), id, version, name, Date.now(), randomUUID()])
      return rows
    })

  const start = async context => {
    const run = { id: randomUUID(), version: 1, context }
    const values = [run.id, 1, 'created', stateOf(context), randomUUID()]
    await write('start', values, run)
    return run
  }
  const move = async ({ id, version, context }, status) => {
    const next = { id, version: version + 1, context }
    const values = [next.version, status, stateOf(context), randomUUID(), id, version]
    await write('update', values, next)
    return next
  }

  return {
    async run() {
      let run = await start(newContext())
      for (let step = 1; step <= STEPS; step++) {
        run.context.tries++
        run = await move(run, step === STEPS ? 'completed' : 'active')
      }
    },
    async begin() {
      const { id, version } = await move(await start(newContext()), 'paused')
      return { id, version }
    },
    async answer({ id, version }) {
      const claimed = { id, version: version + 1 }
      const values = [claimed.version, 'active', id, version, 'paused']
      const [{ state }] = await write('claim', values, claimed)
      const { context } = JSON.parse(state)
      context.approved = true
      await move({ ...claimed, context }, 'completed')
    },
  }
}

const stateOf = context => JSON.stringify({ schemaId: 'bench/five', indexes: [1], context })
