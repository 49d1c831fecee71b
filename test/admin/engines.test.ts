import { AsWfStore, type WfSetPayloadOptions } from '@atscript/moost-wf/store'
import type { WfState } from '@atscript/moost-wf'
import { createWfAdminController } from '@atscript/moost-wf/admin'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { testEngines } from '../support/databases'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'
import { openAdmin } from './admin-app'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

describe.each(testEngines())('on $name', ({ create }) => {
  it('flows are counted by workflow and by age', async () => {
    const app = await openAdmin({ database: create })
    const at = app.clock.now()
    const ages = [0, HOUR - 1, HOUR, DAY - 1, DAY, 7 * DAY, 30 * DAY - 1, 30 * DAY, 90 * DAY, -5]
    await app.table.insertMany(
      ages.map((age, n) => ({
        handle: `h${n}`,
        schemaId: n % 3 ? 'expenses/claim' : n % 2 ? 'expenses/gone' : 'expenses/invite',
        state: { context: {}, indexes: [0] },
        version: 1,
        createdAt: at,
        updatedAt: at - age,
        expiresAt: n < 3 ? at - n : n < 5 ? at + n : null,
      })),
    )
    const { status, body } = await app.get('counts')
    expect(status).toBe(200)
    expect(body).toMatchObject({ now: at, total: 10, live: 7, expired: 3 })
    expect(body.byWorkflow).toEqual([
      { schemaId: 'expenses/claim', count: 6, live: 4, expired: 2, known: true },
      { schemaId: 'expenses/gone', count: 2, live: 2, expired: 0, known: false },
      { schemaId: 'expenses/invite', count: 2, live: 1, expired: 1, known: true },
    ])
    expect(body.byAge.map(({ count }: { count: number }) => count)).toEqual([3, 2, 1, 2, 2])
  })

  it('flows are searched, filtered, sorted and paged', async () => {
    const app = await openAdmin({ database: create })
    for (const applicant of ['Ann', 'bob', '100%', 'Ünï_x', '100x', 'b\\ob']) {
      await app.pause('expenses/claim', { applicant, amount: applicant.length })
      app.clock.advance(1)
    }
    const found = async (params: Record<string, string>) => {
      const { body, text, status } = await app.get(`flows?${new URLSearchParams(params)}`)
      expect(status, text).toBe(200)
      return body.rows.map(({ values }: { values: { applicant: string } }) => values.applicant)
    }
    expect(await found({ search: 'ann' })).toEqual(['Ann'])
    expect(await found({ search: '100%' })).toEqual(['100%'])
    expect(await found({ search: '_' })).toEqual(['Ünï_x'])
    expect(await found({ search: 'ünï' })).toEqual(['Ünï_x'])
    expect(await found({ search: '\\' })).toEqual(['b\\ob'])
    expect(await found({ search: "'" })).toEqual([])
    expect(await found({ sort: 'amount,-applicant' })).toEqual([
      'bob',
      'Ann',
      'b\\ob',
      '100x',
      '100%',
      'Ünï_x',
    ])
    expect(await found({ sort: 'amount,-applicant', size: '2', page: '2' })).toEqual([
      'b\\ob',
      '100x',
    ])
    const filter = JSON.stringify({ applicant: { $not: { $contains: '0' } }, amount: { $gt: 3 } })
    expect(await found({ filter, sort: 'applicant' })).toEqual(['b\\ob', 'Ünï_x'])
  })

  it('flows are extended, sent again and revoked', async () => {
    const app = await openAdmin({ database: create })
    const old = await app.pause('expenses/invite', { applicant: 'bob' })
    const { id } = await app.onlyRow()
    const expiresAt = app.clock.now() + HOUR
    expect((await app.post(`flows/${id}/extend`, { version: 1, expiresAt })).status).toBe(200)
    expect((await app.post(`flows/${id}/resend`, { version: 2 })).status).toBe(200)
    expect((await app.send({ wfs: old, input: { ok: true } })).status).toBe(410)
    expect((await app.post(`flows/${id}/revoke`, { version: 2 })).status).toBe(409)
    expect((await app.post(`flows/${id}/revoke`, { version: 3 })).status).toBe(200)
    const { token } = app.resent[0]!
    expect((await app.send({ wfs: token, input: { ok: true } })).status).toBe(410)
  })
})

/** A row with a number for its id, as a table that is older than this package may have. */
class NumberedStore extends AsWfStore {
  #next = 7

  protected override buildSetPayload(handle: string, state: WfState, opts: WfSetPayloadOptions) {
    const payload = super.buildSetPayload(handle, state, opts)
    return opts.existing ? payload : { ...payload, id: this.#next++ }
  }
}

it('rows are named by numbers, in one spelling', async () => {
  const props = new Map(ExpenseStateRow.type.props as never as Map<string, object>)
  props.set('id', {
    type: { kind: '', designType: 'number' },
    metadata: new Map([
      ['meta.id', true],
      ['expect.int', true],
    ]),
  })
  const type = { type: { kind: 'object', props }, metadata: ExpenseStateRow.metadata }
  const space = openSqlite(':memory:')
  onTestFinished(() => space.close())
  const table = space.table(type as never)
  await space.sync()
  const store = new NumberedStore({ table: table as never })
  await store.set('h', { schemaId: 'x', indexes: [0], context: {} })
  const { url } = await startApp([createWfAdminController({ store, guard: () => true })])
  const ask = (id: string) => request(url, {}, { method: 'GET', path: `/api/admin/flows/${id}` })
  expect((await ask('7')).body.id).toBe(7)
  for (const id of [
    '8',
    '7.0',
    '07',
    '+7',
    '0x7',
    '7e0',
    'NaN',
    'Infinity',
    'x',
    '1e400',
    '%207',
  ]) {
    expect((await ask(id)).status, id).toBe(404)
  }
})
