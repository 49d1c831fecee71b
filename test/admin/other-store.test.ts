import { createWfAdminController, type WfAdminStore, type WfResend } from '@atscript/moost-wf/admin'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

/** A store that is no AsWfStore, and whose rows have no handle: what a list gives out of real rows. */
async function openOther() {
  const { store, clock, table } = await openExpenses()
  const other: WfAdminStore = {
    clock,
    columns: () => store.columns(),
    list: async query => (await store.list(query)).map(({ handle: _handle, ...row }) => row),
    count: query => store.count(query),
    countBy: (column, query) => store.countBy(column as 'schemaId', query),
    toSql: () => null,
    handlesAmong: async () => new Set(),
    async getRow(id) {
      const view = await store.getRow(id)
      if (!view) return null
      const { handle: _handle, ...row } = view.row
      return { row, state: view.state }
    },
    revokeRow: (id, version) => store.revokeRow(id, version),
    extendRow: (id, version, expiresAt) => store.extendRow(id, version, expiresAt),
    reissueRow: (id, version, deliver) => store.reissueRow(id, version, deliver),
    heal: options => store.heal(options),
    cleanup: options => store.cleanup(options),
  }
  const resent: WfResend[] = []
  const resend = (flow: WfResend) => void resent.push(flow)
  const Admin = createWfAdminController({ store: other, guard: () => true, resend })
  const { url } = await startApp([Admin])
  const ask = (method: string) => (path: string, body: object) =>
    request(url, body, { method, path: `/api/admin/${path}` })
  await store.set('h', expense({ applicant: 'ann' }), clock.now() + 1000)
  const [row] = await table.findMany({ filter: {} })
  return { store, clock, table, resent, id: row!.id, get: ask('GET'), post: ask('POST') }
}

describe('the admin API on a store of another kind', () => {
  it('shows its flows', async () => {
    const { get, id } = await openOther()
    const { body } = await get('flows', {})
    expect(body).toMatchObject({ total: 1, sql: [] })
    expect(body.rows[0]).toMatchObject({ id, status: 'live', values: { applicant: 'ann' } })
    const flow = await get(`flows/${id}`, {})
    expect(flow.body).toMatchObject({ id, version: 1, context: { applicant: 'ann' } })
    expect((await get('counts', {})).body).toMatchObject({ total: 1, live: 1 })
  })

  it('acts on the version that was seen', async () => {
    const { post, get, id, clock, resent, table } = await openOther()
    const expiresAt = clock.now() + 5000
    expect((await post(`flows/${id}/extend`, { version: 7, expiresAt })).status).toBe(409)
    expect((await post(`flows/${id}/extend`, { version: 1, expiresAt })).body.version).toBe(2)
    expect((await post(`flows/${id}/resend`, { version: 2 })).body).toEqual({
      version: 3,
      sent: true,
    })
    expect(resent).toHaveLength(1)
    clock.advance(5000)
    expect((await get(`flows/${id}`, {})).body.status).toBe('expired')
    expect((await post(`flows/${id}/resend`, { version: 3 })).status).toBe(409)
    expect((await post(`flows/${id}/revoke`, { version: 3 })).body).toEqual({ revoked: true })
    expect(await table.count({ filter: {} })).toBe(0)
  })

  it('runs its jobs', async () => {
    const { post, get, table } = await openOther()
    await table.updateMany({}, { applicant: null })
    const { job } = (await post('heal', {})).body
    await expect
      .poll(async () => (await get(`jobs/${job}`, {})).body)
      .toMatchObject({ state: 'done', changed: 1, total: 1 })
  })

  it.each(['columns', 'list', 'getRow', 'cleanup'])('asks for its %s at once', async missing => {
    const { store } = await openExpenses()
    const lacking = new Proxy(store, {
      get: (target, name) =>
        name === missing ? undefined : (Reflect.get(target, name, target) as unknown),
    })
    expect(() => createWfAdminController({ store: lacking, guard: () => true })).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG', message: expect.stringContaining(missing) }),
    )
  })
})
