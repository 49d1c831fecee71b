import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dbSpace, wfStateTable } from '../fixtures/specification/db'
import { TenantedAsWfStore } from '../fixtures/specification/stores/tenanted-store'
import { cleaning, wfStore } from '../fixtures/specification/stores/wf-store'
import { mails, PeopleController, WfController } from '../fixtures/specification/wf.controller'
import { expense, openExpenses } from '../support/expense-store'
import { startApp } from '../support/moost-app'

/** The samples of the specification, as they stand, in an application. */
describe("the specification's samples", () => {
  beforeAll(() => dbSpace.sync())
  afterAll(async () => {
    clearInterval(cleaning)
    await dbSpace.close()
  })

  async function open() {
    const { url } = await startApp([WfController, PeopleController])
    return async (body: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await (await fetch(`${url}/wf`, init)).json()) as { wfs: string; finished?: boolean }
    }
  }

  it('keep one workflow in rows that SQL finds, and another in its token', async () => {
    const post = await open()
    const invited = await post({ wfid: 'users/invite' })
    expect(invited.wfs).toMatch(/^handle\.[\da-f-]{36}$/u)
    const input = { email: 'alice@example.com', roleName: 'admin' }
    const paused = await post({ wfs: invited.wfs, input })

    const pending = await wfStateTable.findMany({
      filter: { schemaId: 'users/invite', inviteEmail: 'alice@example.com' },
    })
    expect(pending).toMatchObject([{ inviteRole: 'admin', createdBy: 'ada', lastUpdatedBy: 'ada' }])
    expect(pending[0]).toMatchObject({ startedBy: 'grace', flowId: expect.any(String) })
    expect(pending[0]?.startedAt).toBeLessThanOrEqual(Date.now())
    expect(paused.wfs).toBe(`handle.${pending[0]?.handle}`)

    const login = await post({ wfid: 'auth/login' })
    expect(login.wfs).toMatch(/^encapsulated\./u)
    expect(await wfStateTable.count({ filter: {} })).toBe(1)

    expect(await post({ wfs: paused.wfs, input: {} })).toMatchObject({ finished: true })
    expect(await wfStateTable.count({ filter: {} })).toBe(0)
  })

  it('back-fill a column that was added later, and clean up', async () => {
    const context = { email: 'bob@example.com', roleName: 'member' }
    const state = { schemaId: 'users/invite', indexes: [0], context }
    await wfStore.set('h', state, Date.now() + 1000)
    await wfStateTable.updateMany({ handle: 'h' }, { inviteEmail: null, inviteRole: null })
    expect(await wfStore.heal({ filter: { schemaId: 'users/invite' }, batchSize: 10 })).toBe(1)
    expect(await wfStateTable.findOne({ filter: { handle: 'h' } })).toMatchObject({
      inviteEmail: 'bob@example.com',
    })
    expect(await wfStore.cleanup()).toBe(0)
    await wfStore.set('h', state, Date.now() - 1000)
    expect(await wfStore.cleanup({ retention: Number.POSITIVE_INFINITY })).toBe(0)
    expect(await wfStore.cleanup({ retention: 86_400_000 })).toBe(0)
    expect(await wfStore.cleanup()).toBe(1)
  })

  it('let one of two simultaneous clicks on a magic link proceed', async () => {
    const post = await open()
    const { wfs } = await post({ wfid: 'users/invite' })
    const click = () => post({ wfs, input: { email: 'eve@example.com' } })
    const answers = await Promise.all([click(), click()])
    expect(answers.filter(answer => answer.wfs)).toHaveLength(1)
  })

  it('send a magic link by a strategy of the public package, which works once', async () => {
    const post = await open()
    const { wfs } = await post({ wfid: 'users/magic-link' })
    const sent = await post({ wfs, input: { email: 'alice@example.com' } })
    expect(sent).toEqual({ sent: true, outlet: 'email' })
    const { token } = mails.at(-1)!
    expect(token).toMatch(/^handle\./u)
    const click = () => post({ wfs: token, input: { ok: true } })
    const answers = await Promise.all([click(), click()])
    const [opened, ...others] = answers.filter(answer => answer.wfs)
    expect(others).toEqual([])
    expect(await post({ wfs: opened!.wfs, input: { ok: true } })).toMatchObject({ finished: true })
  })

  it('keep tenants apart with the subclass that is shown', async () => {
    const { table, clock } = await openExpenses()
    const mine = new TenantedAsWfStore('mine', { table, clock })
    const theirs = new TenantedAsWfStore('theirs', { table, clock })
    await theirs.set('h', expense({}))
    expect(await mine.get('h')).toBeNull()
    expect(await mine.getAndDelete('h')).toBeNull()
    await expect(mine.set('h', expense({}))).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await theirs.getAndDelete('h')).not.toBeNull()
  })
})
