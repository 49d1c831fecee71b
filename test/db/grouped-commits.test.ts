import { type DbSpace, insertInto, updateIn } from '@atscript/moost-wf/db'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/state'
import { OrderEventRow, OrderRow } from '../fixtures/schemas/order-rows.as'
import { type CuttableProxy, cuttableProxy } from '../support/cuttable-proxy'
import { postgresDatabase, type TestDatabase } from '../support/databases'

const COUNT = 40
const A_MINUTE_MS = 60_000

describe('commits on PostgreSQL that come at the same time', () => {
  let database: TestDatabase
  let pool: pg.Pool
  let space: DbSpace
  /** How many statements the server was sent. */
  let sent: number

  beforeEach(async () => {
    database = await postgresDatabase()
    pool = new pg.Pool({ connectionString: database.url, max: 10 })
    pool.on('acquire', () => sent++)
    space = openPostgres(pool as never)
    space.table(OrderRow)
    space.table(OrderEventRow)
    await space.sync()
    sent = 0
  })
  afterEach(async () => {
    await space.close()
    await database.drop()
  })

  const many = <R>(work: (id: string) => Promise<R>) =>
    Promise.all(Array.from({ length: COUNT }, (_, at) => work(`o${at}`)))
  const make = (id: string, { status = 'new', kind = 'made', event = `${id}-1` } = {}) =>
    space.commit({
      write: insertInto(OrderRow, { id, version: 1, status }),
      with: [insertInto(OrderEventRow, { id: event, orderId: id, seq: 1, kind })],
    })
  const pay = (id: string, { version = 1, event = `${id}-2`, from = space } = {}) =>
    from.commit({
      write: updateIn(OrderRow, { id, version }, { version: version + 1, status: 'paid' }),
      with: [insertInto(OrderEventRow, { id: event, orderId: id, seq: version + 1, kind: 'paid' })],
    })
  const orders = () =>
    space.table(OrderRow).findMany({ filter: {}, controls: { $sort: { id: 1 } } })
  const countEvents = () => space.table(OrderEventRow).count({})

  it('go together, starts and changes alike', async () => {
    expect(await many(make)).toEqual(Array.from({ length: COUNT }, () => ({ held: true, row: {} })))
    expect(await many(id => pay(id))).toMatchObject(
      Array.from({ length: COUNT }, () => ({ held: true })),
    )
    expect(sent).toBeLessThan(COUNT / 2)
    expect(await orders()).toMatchObject(
      Array.from({ length: COUNT }, () => ({ version: 2, status: 'paid' })),
    )
    expect(await countEvents()).toBe(2 * COUNT)
  })

  it('go alone on Workers, where none can wait for what another request has begun', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    const alone = openPostgres(pool as never)
    await many(make)
    sent = 0
    await many(id => pay(id, { from: alone }))
    expect(sent).toBe(COUNT)
    expect(await countEvents()).toBe(2 * COUNT)
  })

  it('do not take each other along: one fails, one does not hold, the others stay', async () => {
    await many(make)
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, at) => pay(`o${at}`)),
      pay('o10', { event: 'o11-1' }),
      pay('o12', { version: 7 }),
      pay('nobody'),
      ...Array.from({ length: 10 }, (_, at) => pay(`o${at + 20}`)),
    ])
    const settled = results.map(result =>
      result.status === 'fulfilled' ? result.value.held : result.reason.code,
    )
    const held = Array.from({ length: 10 }, () => true)
    expect(settled).toEqual([...held, 'WF_CONFLICT', false, false, ...held])
    const paid = (await orders()).filter(({ status }) => status === 'paid')
    expect(paid).toHaveLength(20)
    expect(await countEvents()).toBe(COUNT + 20)
  })

  it('of one row have one winner', async () => {
    await many(make)
    const rivals = Array.from({ length: COUNT }, (_, at) => pay('o1', { event: `rival ${at}` }))
    const held = (await Promise.all([...rivals, pay('o2')])).filter(result => result.held)
    expect(held).toHaveLength(2)
    expect(await countEvents()).toBe(COUNT + 2)
    const starts = await Promise.all(
      Array.from({ length: COUNT }, (_, at) => make('new', { event: `start ${at}` })),
    )
    expect(starts.filter(result => result.held)).toHaveLength(1)
    expect(await countEvents()).toBe(COUNT + 3)
    // Behind two others, so that the first of them has rivals in its own statement.
    const bare = ['one', 'two', ...Array.from({ length: COUNT }, () => 'bare')].map(id =>
      space.commit({ write: insertInto(OrderRow, { id, version: 1, status: 'new' }) }),
    )
    expect((await Promise.all(bare)).filter(result => result.held)).toHaveLength(3)
  })

  it('wait for nobody whose row somebody else is writing', async () => {
    await many(make)
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query(`begin; update orders set status = 'mine' where id = 'o3'`)
    let isPaid = false
    const others = many(async id => {
      if (id !== 'o3') await pay(id)
    })
    const waiting = pay('o3').then(result => ((isPaid = true), result))
    await others
    expect(isPaid).toBe(false)
    await other.query('commit')
    expect(await waiting).toEqual({ held: true, row: {} })
    await other.end()
  })

  it('keep all values as they are', async () => {
    const texts = [
      '',
      "it's",
      '"quoted" \\ and \\u0000 in words',
      'e\u0301 😀 \u2028',
      '[null]',
      'null',
    ]
    const kinds = Array.from({ length: COUNT }, (_, at) => texts[at % texts.length]!)
    await Promise.all(kinds.map((kind, at) => make(`o${at}`, { kind, status: kind })))
    expect(sent).toBeLessThan(COUNT / 2)
    const events = await space.table(OrderEventRow).findMany({ filter: {} })
    for (const { orderId, kind } of events) expect(kind).toBe(kinds[Number(orderId.slice(1))])
    for (const { id, status } of await orders()) expect(status).toBe(kinds[Number(id.slice(1))])
  })

  it.each([
    { by: 'the database', clock: undefined },
    { by: 'a clock that is given', clock: { now: () => 5000 } },
  ])('write moments by $by', async ({ clock }) => {
    const timed = openPostgres(database.url, { clock })
    await many(make)
    const heldUntil = timed.now(A_MINUTE_MS)
    const before = systemClock.now() - 1000
    await many(id =>
      timed.commit({
        write: updateIn(
          OrderRow,
          { id, version: 1, $or: [{ heldUntil: null }, { heldUntil: { $lte: timed.now() } }] },
          { version: 2, heldUntil },
        ),
      }),
    )
    for (const { heldUntil: until } of await orders()) {
      if (clock) expect(until).toBe(5000 + A_MINUTE_MS)
      else expect(until! - A_MINUTE_MS).toBeGreaterThan(before)
    }
    const again = await many(id =>
      timed.commit({
        write: updateIn(
          OrderRow,
          { id, version: 2, heldUntil: { $lte: timed.now() } },
          { version: 3 },
        ),
      }),
    )
    expect(again.some(({ held }) => held)).toBe(false)
    await timed.close()
  })

  it('are looked up by their keys, however little the server knows of the table', async () => {
    await space.close()
    pool = new pg.Pool({ connectionString: database.url, max: 1 })
    space = openPostgres(pool as never)
    space.table(OrderRow)
    space.table(OrderEventRow)
    await many(make)
    await many(id => pay(id))
    const one = await pool.connect()
    await one.query('set plan_cache_mode = force_generic_plan')
    const { rows } = await one.query(
      `select name from pg_prepared_statements where statement like '%what is given%' order by length(statement) desc`,
    )
    const plan = await one.query(`explain execute "${rows[0].name}" ('[]')`)
    const lines = plan.rows.map(row => row['QUERY PLAN']).join('\n')
    expect(lines).toContain('Index Scan using orders_pkey')
    expect(lines).not.toContain('Seq Scan on orders')
    one.release()
  })

  describe('behind a connection that breaks', () => {
    let proxy: CuttableProxy
    let cuttable: DbSpace

    beforeEach(async () => {
      await many(make)
      const url = new URL(database.url)
      proxy = await cuttableProxy(new URL(database.url))
      url.port = String(proxy.port)
      cuttable = openPostgres(url.href)
      await cuttable.table(OrderRow).count({})
    })
    afterEach(async () => {
      await cuttable.close()
      await proxy.close()
    })

    it.each(Array.from({ length: 6 }, (_, answer) => answer))(
      'are carried out once and known to be, whichever answer is lost: %i',
      async answer => {
        const lost = proxy.cutBeforeNextAnswer(answer)
        const results = await many(id => pay(id, { from: cuttable }))
        await lost
        expect(results.every(({ held }) => held)).toBe(true)
        expect(await countEvents()).toBe(2 * COUNT)
        for (const { version } of await orders()) expect(version).toBe(2)
      },
    )
  })
})
