import { useHeaders } from '@atscript/moost-wf/http'
import { AsWfStore } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { expense } from '../support/expense-store'
import { publicTable } from '../support/public-table'
import { openAdmin } from './admin-app'

class Mine extends AsWfStore {
  protected override scope(): Record<string, unknown> {
    return { tenantId: 'mine' }
  }
}

class Theirs extends AsWfStore {
  protected override scope() {
    return { tenantId: 'theirs' }
  }
}

/** By the rules of `findRow` alone, which a list does not ask. */
class MineByFindRow extends AsWfStore {
  protected override async findRow(handle: string) {
    return (await this.table.findOne({ filter: { handle, tenantId: 'mine' } })) as never
  }
}

/** The tenant of whoever asks. */
class Asking extends AsWfStore {
  protected override scope() {
    return { tenantId: String(useHeaders()['x-tenant']) }
  }
}

async function openTenants(options: Parameters<typeof openAdmin>[0]) {
  const app = await openAdmin(options)
  const theirs = new Theirs({ table: app.table, clock: app.clock })
  const state = expense({ applicant: 'them' }, 'expenses/claim')
  await theirs.set('their-handle', state, app.clock.now() + 1000)
  const { id } = await app.onlyRow()
  const theirRow = () => app.table.findOne({ filter: { id } })
  return { app, id, theirRow }
}

const acts = (id: string, expiresAt: number): [string, object][] => [
  [`flows/${id}/revoke`, { version: 1 }],
  [`flows/${id}/extend`, { version: 1, expiresAt }],
  [`flows/${id}/resend`, { version: 1 }],
]

describe.each([
  ['a table of ours', {}],
  ['a public table', { wrapTable: publicTable }],
])('the admin of a tenant in %s', (_which, options) => {
  it('sees its own flows alone', async () => {
    const { app, id } = await openTenants({ ...options, Store: Mine })
    await app.pause('expenses/claim')
    const { body } = await app.get('flows')
    expect(body.total).toBe(1)
    expect(body.rows[0].values).toMatchObject({ tenantId: 'mine', applicant: 'ann' })
    for (const filter of [{ tenantId: 'theirs' }, { $or: [{ tenantId: 'theirs' }] }, { id }]) {
      const { body: none } = await app.get(`flows?filter=${JSON.stringify(filter)}`)
      expect(none).toMatchObject({ rows: [], total: 0 })
    }
    expect((await app.get('counts')).body).toMatchObject({
      total: 1,
      byWorkflow: [{ schemaId: 'expenses/claim', count: 1 }],
    })
    expect((await app.get(`flows/${id}`)).status).toBe(404)
  })

  it('acts on its own flows alone', async () => {
    const { app, id, theirRow } = await openTenants({ ...options, Store: Mine })
    const before = await theirRow()
    for (const [path, body] of acts(id, app.clock.now() + 5000)) {
      expect((await app.post(path, body)).status, path).toBe(404)
    }
    await app.table.updateMany({ id }, { applicant: 'wrong' })
    app.clock.advance(5000)
    for (const kind of ['heal', 'cleanup']) {
      const { job } = (await app.post(kind)).body
      let state = 'running'
      while (state === 'running') state = (await app.get(`jobs/${job}`)).body.state
      expect(state).toBe('done')
    }
    expect(await theirRow()).toEqual({ ...before, applicant: 'wrong' })
    expect(app.resent).toEqual([])
  })
})

it('findRow alone keeps an admin from looking into and acting on a flow of another', async () => {
  const { app, id, theirRow } = await openTenants({ Store: MineByFindRow })
  const before = await theirRow()
  expect((await app.get(`flows/${id}`)).status).toBe(404)
  for (const [path, body] of acts(id, app.clock.now() + 5000)) {
    expect((await app.post(path, body)).status, path).toBe(404)
  }
  expect(await theirRow()).toEqual(before)
})

it('a scope that is read from the request holds for the jobs that it starts', async () => {
  const { app, id, theirRow } = await openTenants({ Store: Asking })
  app.clock.advance(5000)
  const cleanUpAs = async (tenant: string) => {
    const headers = { 'x-tenant': tenant }
    const { job } = (await app.post('cleanup', {}, { headers })).body
    let state = 'running'
    while (state === 'running') state = (await app.get(`jobs/${job}`, { headers })).body.state
    expect(state).toBe('done')
  }
  const seenBy = async (tenant: string) =>
    (await app.get(`flows/${id}`, { headers: { 'x-tenant': tenant } })).status
  expect([await seenBy('mine'), await seenBy('theirs')]).toEqual([404, 200])
  await cleanUpAs('mine')
  expect(await theirRow()).not.toBeNull()
  await cleanUpAs('theirs')
  expect(await theirRow()).toBeNull()
})
