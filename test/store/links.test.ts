import {
  createEmailOutlet,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  Step,
  WfLedgerMemory,
  type WfOutletConfig,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { AsWfStore } from '@atscript/moost-wf/store'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { openFormApp } from '../support/form-app'

@Controller('approvals')
class Approvals {
  @Workflow('expense')
  @WorkflowSchema(['submit'])
  expense() {}

  @Step('submit')
  submit() {
    return outletHttp({ ask: 'amount' })
  }

  @Workflow('approval')
  @WorkflowSchema(['ask'])
  approval() {}

  @Step('ask')
  ask(@WorkflowParam('input') input?: object) {
    if (!input) return outletEmail('boss@example.com', 'ask')
  }
}

/** A flow that is paused at an endpoint, whose ledger the store shares. */
async function openPaused(options: { hashHandles?: boolean } = {}) {
  const { table, clock } = await openExpenses()
  const ledger = new WfLedgerMemory({ clock })
  const store = new AsWfStore({ table, clock, ledger, ...options })
  const strategies = { handle: new HandleStateStrategy({ store }) }
  const config: WfOutletConfig = { state: { strategies, default: 'handle' }, ledger, clock }
  const app = await openFormApp(Approvals, config)
  const wfs = await app.start('approvals/expense')
  return { store, table, clock, ledger, wfs, handle: wfs.slice('handle.'.length), send: app.send }
}

describe.each([false, true])('links, hashed in the table: %s', hashHandles => {
  it('that are revoked say so', async () => {
    const { store, handle, wfs, send } = await openPaused({ hashHandles })
    expect(await store.revoke(handle, { preview: true })).toBe(1)
    expect(await store.revoke(handle)).toBe(1)
    expect(await store.revoke(handle)).toBe(0)
    const { status, body } = await send({ wfs })
    expect([status, body.error.code]).toEqual([410, 'WF_REVOKED'])
    expect(body.error.restart).toEqual({ wfid: 'approvals/expense' })
  })

  it('that were sent anew are superseded, and the new one works', async () => {
    const { store, handle, wfs, send } = await openPaused({ hashHandles })
    const fresh = await store.reissue(handle)
    expect((await send({ wfs })).body.error.code).toBe('WF_SUPERSEDED')
    expect((await send({ wfs: `handle.${fresh}` })).status).toBe(200)
    expect(await store.reissue(handle)).toBeNull()
  })

  it('that have expired live on when they are extended', async () => {
    const { store, handle, wfs, send, clock } = await openPaused({ hashHandles })
    expect(await store.extend(handle, 1000)).toBe(true)
    clock.advance(1000)
    expect((await send({ wfs })).body.error.code).toBe('WF_EXPIRED')
    expect(await store.extend(handle, 1000)).toBe(true)
    expect((await send({ wfs })).status).toBe(200)
    expect(await store.extend('nobody', 1000)).toBe(false)
  })
})

describe('revoke', () => {
  it('takes all that a filter names, and no other', async () => {
    const { store } = await openExpenses()
    for (const n of [1, 2, 3])
      await store.set(`h${n}`, expense({ applicant: n < 3 ? 'ada' : 'bo' }))
    const filter = { applicant: 'ada' }
    expect(await store.revoke(filter, { preview: true })).toBe(2)
    expect(await store.count()).toBe(3)
    expect(await store.revoke(filter)).toBe(2)
    expect(await store.get('h3')).not.toBeNull()
    expect(await store.count()).toBe(1)
  })

  it.each([
    {},
    { $and: [] },
    { $and: [{}] },
    { $or: [{ $and: [{}] }] },
    { schemaId: undefined },
    [],
    null,
  ])('refuses %j, which names them all', async filter => {
    const { store } = await openExpenses()
    await store.set('h1', expense({}))
    for (const preview of [true, false]) {
      await expect(store.revoke(filter as object, { preview })).rejects.toMatchObject({
        code: 'WF_DB_FILTER',
      })
    }
    expect(await store.count()).toBe(1)
  })

  it.each(['', 'nobody', 'sha256:x', '\0'])('knows no handle %j', async handle => {
    const { store } = await openExpenses()
    await store.set('h1', expense({}))
    expect(await store.revoke(handle)).toBe(0)
    expect(await store.reissue(handle)).toBeNull()
    expect(await store.count()).toBe(1)
  })

  it('goes through when it cannot be noted', async () => {
    const { store, ledger, handle } = await openPaused()
    ledger.put = () => Promise.reject(new Error('down'))
    expect(await store.revoke(handle)).toBe(1)
  })
})

describe('extend', () => {
  it.each([0, -1, Number.NaN, Infinity])('refuses %j', async ttl => {
    const { store } = await openExpenses()
    await expect(store.extend('h1', ttl)).rejects.toThrow(TypeError)
  })
})

describe('reissue', () => {
  it('lets one of many at once win', async () => {
    const { store, handle, wfs, send } = await openPaused()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.reissue(handle)),
    )
    const fresh = outcomes.flatMap(outcome =>
      outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : [],
    )
    expect(fresh).toHaveLength(1)
    expect((await send({ wfs })).status).toBe(410)
    expect((await send({ wfs: `handle.${fresh[0]}` })).status).toBe(200)
  })
})

describe.each([false, true])('whoever watches a link, hashed in the table: %s', hashHandles => {
  /** A link that was sent, and what can be seen of it. */
  async function openSent() {
    const { table, clock } = await openExpenses()
    const ledger = new WfLedgerMemory({ clock })
    const store = new AsWfStore({ table, clock, ledger, hashHandles })
    const handles: string[] = []
    const email = createEmailOutlet(async ({ token }) => {
      handles.push(token.slice('default.'.length))
    })
    const state = new HandleStateStrategy({ store, defaultTtl: 1000 })
    const app = await openFormApp(Approvals, { state, ledger, clock, outlets: [email] })
    const { watch } = (await app.send({ wfid: 'approvals/approval' })).body
    const look = async () => (await fetch(`${app.url}/wf?watch=${watch}`)).json()
    return { store, table, clock, look, send: app.send, handle: handles[0]! }
  }

  it('sees that it was revoked, and when', async () => {
    const { store, table, clock, look, handle } = await openSent()
    expect(await look()).toMatchObject({ state: 'waiting' })
    await store.revoke(handle)
    const at = clock.now()
    clock.advance(5000)
    expect(await look()).toEqual({ watching: true, state: 'revoked', at })
    expect(await table.count({})).toBe(0)
  })

  it('sees that it was revoked by an admin', async () => {
    const { store, look } = await openSent()
    const [row] = await store.list({})
    await store.revokeRow(row!.id, row!.version)
    expect(await look()).toMatchObject({ state: 'revoked' })
  })

  it('sees that it waits again when it was extended', async () => {
    const { store, clock, look, handle } = await openSent()
    clock.advance(1000)
    expect(await look()).toMatchObject({ state: 'expired', at: clock.now() })
    await store.extend(handle, 5000)
    const expiresAt = clock.now() + 5000
    expect(await look()).toEqual({ watching: true, state: 'waiting', expiresAt })
  })

  it('sees that it was answered by the link that was sent anew', async () => {
    const { store, look, send, handle } = await openSent()
    const fresh = await store.reissue(handle)
    expect(await look()).toMatchObject({ state: 'waiting' })
    expect((await send({ wfs: `default.${fresh}`, input: {} })).body.finished).toBe(true)
    expect(await look()).toMatchObject({ state: 'ended' })
  })
})
