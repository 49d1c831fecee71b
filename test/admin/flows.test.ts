import { createRequire } from 'node:module'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { describe, expect, it } from 'vitest'
import { hostileFilters } from '../../src/testing/table/hostile-filters'
import { publicTable } from '../support/public-table'
import { type OpenAdmin, openAdmin } from './admin-app'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')

async function openPaused() {
  const app = await openAdmin()
  await app.pause('expenses/claim', { applicant: 'ann', amount: 7 })
  app.clock.advance(1000)
  await app.pause('expenses/invite', { applicant: 'Bob', amount: 900 })
  app.clock.advance(1000)
  await app.pause('expenses/short', { applicant: 'cyd', amount: 50 })
  return app
}

const query = (params: Record<string, unknown>) => {
  const texts = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `flows?${new URLSearchParams(texts)}`
}

async function applicants(app: OpenAdmin, params: Record<string, unknown>) {
  const { body, text, status } = await app.get(query(params))
  expect(status, text).toBe(200)
  const rows = body.rows as { values: { applicant: string } }[]
  expect(body.total).toBeGreaterThanOrEqual(rows.length)
  return rows.map(({ values }) => values.applicant).join()
}

describe('columns', () => {
  it('are all but the handle, the state and those that look secret', async () => {
    const app = await openAdmin({ admin: { isSecret: key => key === 'stage' } })
    const { body } = await app.get('columns')
    const names = body.columns.map(({ name }: { name: string }) => name)
    expect(names).toContain('schemaId')
    expect(names).toContain('amount')
    expect(names).not.toContain('handle')
    expect(names).not.toContain('state')
    expect(names).not.toContain('stage')
    expect(body).toMatchObject({ canSearch: true, canResend: true })
    expect(body.columns.find(({ name }: { name: string }) => name === 'amount')).toEqual({
      name: 'amount',
      label: 'amount',
      type: 'number',
      shadow: true,
      isId: false,
      nullable: true,
      hidden: false,
    })
  })
})

describe('flows', () => {
  it('are listed with the columns that are shown, the newest first', async () => {
    const app = await openPaused()
    expect(await applicants(app, {})).toBe('cyd,Bob,ann')
    const { body } = await app.get('flows')
    const { body: described } = await app.get('columns')
    const names = described.columns.map(({ name }: { name: string }) => name)
    for (const row of body.rows) expect(Object.keys(row.values)).toEqual(names)
    expect(body).toMatchObject({ total: 3, page: 1, size: 20, now: app.clock.now() })
  })

  it.each([
    [{ filter: { amount: { $gte: 50 } } }, 'cyd,Bob'],
    [{ filter: { schemaId: 'expenses/claim' } }, 'ann'],
    [{ filter: { $or: [{ applicant: 'ann' }, { urgent: true }] } }, 'Bob,ann'],
    [{ filter: { applicant: { $not: { $in: ['ann'] } } } }, 'cyd,Bob'],
    [{ filter: { applicant: { $contains: 'n' } } }, 'ann'],
    [{ filter: {} }, 'cyd,Bob,ann'],
    [{ search: 'bob' }, 'Bob'],
    [{ search: 'BOB' }, 'Bob'],
    [{ search: ' short ' }, 'cyd'],
    [{ search: 'ada' }, 'cyd,Bob,ann'],
    [{ search: '%' }, ''],
    [{ search: "' or 1=1 --" }, ''],
    [{ search: '' }, 'cyd,Bob,ann'],
    [{ status: 'live' }, 'cyd,Bob,ann'],
    [{ status: 'expired' }, ''],
    [{ sort: 'amount' }, 'ann,cyd,Bob'],
    [{ sort: '-amount' }, 'Bob,cyd,ann'],
    [{ sort: 'stage,-amount' }, 'Bob,cyd,ann'],
    [{ sort: 'amount', size: 2 }, 'ann,cyd'],
    [{ sort: 'amount', size: 2, page: 2 }, 'Bob'],
    [{ page: 100_000, size: 100 }, ''],
    [{ search: 'n', filter: { amount: 7 }, status: 'live' }, 'ann'],
  ])('with %j are %s', async (params, expected) => {
    expect(await applicants(await openPaused(), params)).toBe(expected)
  })

  it('are expired from that moment on', async () => {
    const app = await openPaused()
    app.clock.advance(59_999)
    expect(await applicants(app, { status: 'expired' })).toBe('')
    app.clock.advance(1)
    expect(await applicants(app, { status: 'expired' })).toBe('cyd')
    expect(await applicants(app, { status: 'live' })).toBe('Bob,ann')
    const { body } = await app.get('flows?sort=-amount')
    expect(body.rows.map(({ status }: { status: string }) => status)).toEqual([
      'live',
      'expired',
      'live',
    ])
  })

  it('are shown with the SQL that was run for them', async () => {
    const app = await openPaused()
    const { body } = await app.get(
      query({
        filter: { amount: { $gt: 3 }, urgent: { $ne: true } },
        search: 'ann',
        sort: 'amount',
        size: 2,
      }),
    )
    const database = new DatabaseSync(app.database.url)
    const [rows, count] = body.sql.map(
      ({ text, parameters }: { text: string; parameters: unknown[] }) =>
        // SQLite has no booleans.
        database
          .prepare(text)
          .all(...parameters.map(value => (typeof value === 'boolean' ? Number(value) : value))),
    )
    database.close()
    expect(rows.map(({ id }: { id: string }) => id)).toEqual(
      body.rows.map(({ id }: { id: string }) => id),
    )
    expect(body.rows.length).toBe(1)
    expect(count).toEqual([{ count: body.total }])
  })

  it('run exactly that SQL', async () => {
    const ran: string[] = []
    const real = new DatabaseSync(':memory:')
    const watched = {
      exec: (text: string) => real.exec(text),
      prepare: (text: string) => {
        ran.push(text)
        return real.prepare(text)
      },
      close: () => real.close(),
    }
    const app = await openAdmin({
      database: async () => ({ url: '', open: () => openSqlite(watched), drop: async () => {} }),
    })
    await app.get('flows')
    ran.length = 0
    const { body } = await app.get(query({ search: 'needle', sort: 'amount' }))
    expect(ran).toEqual(body.sql.map(({ text }: { text: string }) => text))
  })

  it('can be listed on a public table, without search and without SQL', async () => {
    const app = await openAdmin({ wrapTable: publicTable })
    await app.pause('expenses/claim')
    expect(await applicants(app, { filter: { amount: 7 } })).toBe('ann')
    expect((await app.get('flows')).body.sql).toEqual([])
    expect((await app.get('columns')).body.canSearch).toBe(false)
    expect((await app.get('flows?search=ann')).status).toBe(400)
    expect((await app.get('counts')).body).toMatchObject({ total: 1, live: 1 })
  })
})

describe('a query is refused', () => {
  const hidden = [
    { handle: 'x' },
    { handle: { $gt: '' } },
    { state: null },
    { state: { $exists: true } },
    { 'state.context.login': 'x' },
    { 'context.login': 'x' },
    { $or: [{ handle: { $contains: 'a' } }] },
    { $and: [{ $or: [{ amount: 1 }, { $not: { handle: 'x' } }] }] },
    { $not: { $not: { state: null } } },
    { HANDLE: 'x' },
    { '"handle"': 'x' },
    { amount: { handle: 1 } },
    { amount: { $or: [{ handle: 'x' }] } },
    { amount: { $not: { handle: 'x' } } },
  ]
  it.each(hidden)('for the filter %j', async filter => {
    const app = await openPaused()
    const { status, body } = await app.get(query({ filter }))
    expect([status, body.error.code]).toEqual([400, 'WF_DB_FILTER'])
  })

  it.each([
    'handle',
    '-handle',
    'state',
    'amount,handle',
    'state.context',
    '',
    ',',
    '-',
    '--amount',
  ])('for the order "%s", unless it is empty', async sort => {
    const app = await openPaused()
    expect((await app.get(query({ sort }))).status).toBe(sort === '' ? 200 : 400)
  })

  const fromJson = hostileFilters().flatMap(([title, filter]): [string, string][] => {
    try {
      const text = JSON.stringify(filter)
      // What JSON makes a filter of is not the filter that was meant.
      return text === undefined || text === '{}' || text.length > 100_000 ? [] : [[title, text]]
    } catch {
      return []
    }
  })
  it.each(fromJson)('for a hostile filter: %s', async (_title, filter) => {
    const app = await openAdmin()
    const answer = await app.get(query({ filter }))
    expect([400, 414, 431], answer.text).toContain(answer.status)
  })

  it.each([
    ['junk', 'filter=%7Bx'],
    ['a list', 'filter=[]'],
    ['a number', 'filter=1'],
    ['null', 'filter=null'],
    ['a text', 'filter="handle"'],
    ['a prototype', 'filter={"__proto__":{"handle":"x"}}'],
    ['an unknown operator', 'filter={"amount":{"$regex":"."}}'],
    ['a list of values', 'filter={"amount":[1]}'],
    ['a value of another type', 'filter={"amount":"7"}'],
    ['a filter twice', 'filter={}&filter={"amount":7}'],
    ['a page twice', 'page=1&page=2'],
    ['NaN', 'page=NaN'],
    ['page 0', 'page=0'],
    ['a negative page', 'page=-1'],
    ['half a page', 'page=1.5'],
    ['a page in hex', 'page=0x1'],
    ['a huge page', 'page=100001'],
    ['an endless page', 'page=999999999999999999999999'],
    ['an exponent', 'page=1e3'],
    ['size 0', 'size=0'],
    ['a huge size', 'size=101'],
    ['a size with SQL', 'size=1;drop table expense_states'],
    ['an unknown status', 'status=all%20or%201=1'],
    ['four columns to sort by', 'sort=amount,stage,urgent,applicant'],
    ['a long search', `search=${'x'.repeat(201)}`],
    ['NUL', 'search=%00'],
    ['half a character', `search=${'%ED%A0%80'}x%00`],
    ['a select', 'select=handle'],
    ['a list of parameters', 'page[]=1'],
    ['another parameter', 'handle=x'],
  ])('for %s', async (_what, text) => {
    const app = await openAdmin()
    const answer = await app.get(`flows?${text}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.message).toMatch(/^[A-Z"].*\.$/u)
  })

  it.each([
    ['a search', { search: 'a\0' }],
    ['a sort', { sort: '\0' }],
    ['a status', { status: 'all\0' }],
    ['NUL in a filter', { filter: '{"applicant":"a\\u0000"}' }],
    ['half a character in a filter', { filter: '{"applicant":{"$in":["\\ud800"]}}' }],
    ['half a character in a part', { filter: '{"$or":[{"applicant":{"$ne":"\\udc00"}}]}' }],
  ])('for %s with text that cannot be kept', async (_what, params) => {
    const app = await openAdmin()
    const answer = await app.get(query(params))
    expect([answer.status, answer.body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
    expect(answer.body.message).toMatch(/holds a character that cannot be kept/u)
  })

  it('for a filter that is too long, without reading it', async () => {
    const app = await openAdmin()
    // Longer ones do not get past the server, which takes 16 KiB of headers.
    const $in = Array.from({ length: 5000 }, () => 1)
    const answer = await app.get(`flows?filter=${JSON.stringify({ amount: { $in } })}`)
    expect(answer.status).toBe(400)
    const huge = await app.get(`flows?filter=${'x'.repeat(1024 * 1024)}`).catch(() => undefined)
    expect([undefined, 414, 431]).toContain(huge?.status)
    expect((await app.get('flows')).status).toBe(200)
  })
})
