import { randomBytes } from 'node:crypto'
import {
  createAsHttpOutlet,
  createEmailOutlet,
  createWfRuns,
  delay,
  DurableStateStrategy,
  finishWf,
  outletEmail,
  outletHttp,
  Step,
  waitFor,
  type WfEmail,
  WfInput,
  WfLedgerMemory,
  type WfOutletConfig,
  type WfOutletRequest,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { useHeaders } from '@atscript/moost-wf/http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { DecisionForm } from '../fixtures/schemas/decision-form.as'
import { openFormApp } from '../support/form-app'
import { type Answer, request } from '../support/shop'

const APPROVE = { decision: 'approve', comment: 'ada@example.com' }
const START = { wfid: 'invite/send', input: APPROVE }

/** An endpoint where anyone can have a mail sent, and where one person has one invitation at a time. */
async function openInvitations(
  config: Partial<WfOutletConfig> = {},
  link: Partial<WfOutletRequest> = {},
  outbox = false,
) {
  const clock = new FakeClock()
  const ledger = new WfLedgerMemory({ clock })
  const runs = new WfRunStoreMemory({ clock, outbox })
  const state = new DurableStateStrategy({ runs, secret: randomBytes(32), defaultTtl: 60_000 })
  const mails: WfEmail[] = []
  const deeds = { send: (): unknown => outletEmail('ada@example.com', 'invite', {}, link) }

  @Controller('invite')
  class Invitations {
    @Workflow('send')
    @WorkflowSchema<object>(['read', 'send'])
    send() {}

    @Workflow('other')
    @WorkflowSchema<object>(['read', 'send'])
    other() {}

    @Step('read')
    read(@WfInput({ form: DecisionForm }) input: { decision: string }) {
      void input
    }

    @Step('send')
    sendIt(@WorkflowParam('input') input: unknown) {
      if (!input) return deeds.send()
      finishWf({ data: 'welcome' })
    }
  }

  const all: WfOutletConfig = {
    state,
    ledger,
    clock,
    outlets: [createAsHttpOutlet(), createEmailOutlet(async mail => void mails.push(mail))],
    actor: () => useHeaders()['x-user'] as string | undefined,
    runKey: body => (body.input as { comment?: string } | undefined)?.comment,
    ...config,
  }
  const app = await openFormApp(Invitations, all)
  const api = createWfRuns({ state, worker: false }, app.wf)
  const start = (user?: string, input: unknown = APPROVE, wfid = START.wfid) =>
    app.send({ wfid, input }, user === undefined ? {} : { 'x-user': user })
  const watch = (token: string) =>
    request(app.url, undefined, { method: 'GET', query: `?watch=${token}` })
  const owner = () => runs.findByKey(APPROVE.comment)
  return { ...app, api, runs, clock, mails, deeds, start, watch, owner }
}

/** All that a caller sees, but for what is new each time. */
function seen({ status, headers, text, body }: Answer) {
  const cookie = headers.getSetCookie().map(one => one.replace(/=[\w-]{43};/u, '=…;'))
  const rest = [...headers].filter(([name]) => name !== 'date' && name !== 'set-cookie')
  const { watch } = body
  return {
    status,
    rest,
    cookie,
    text: watch ? text.replace(watch, '.'.repeat(watch.length)) : text,
  }
}

describe('a start by someone unknown whose key another run has', () => {
  const links: [string, Partial<WfOutletConfig>, Partial<WfOutletRequest>][] = [
    ['by mail', {}, {}],
    ['by mail, without a ledger', { ledger: undefined }, {}],
    ['by mail, for nobody to watch', {}, { watch: false }],
    ['by mail, with a code', {}, { code: true }],
    ['by mail, for one browser', {}, { link: 'sameBrowser' }],
    ['by a cookie', { token: { write: 'cookie' } }, {}],
  ]
  describe.each(links)('%s', (_how, config, link) => {
    it.each(['reject', 'join', 'supersede'] as const)(
      'is answered byte for byte as the first: %s',
      async onConflict => {
        const app = await openInvitations({ ...config, onConflict }, link)
        const first = await app.start()
        const second = await app.start()
        expect(first.body).toMatchObject({ sent: true, outlet: 'email' })
        expect(seen(second)).toEqual(seen(first))
        expect(second.text).not.toContain((await app.owner())!.flowId)
        expect(app.mails).toHaveLength(1)
        expect((await app.api.list()).runs).toHaveLength(1)
      },
    )
  })

  it('is answered so where the message waits to be sent', async () => {
    const app = await openInvitations({}, { code: true }, true)
    const first = await app.start()
    expect(first.body).toMatchObject({ sent: true, queued: true, code: true })
    expect(seen(await app.start())).toEqual(seen(first))
  })

  it('is answered so when the outlet answers in words of its own', async () => {
    const outlet = {
      name: 'email',
      tokenDelivery: 'out-of-band' as const,
      deliver: () => ({ response: { sentTo: 'a**@example.com' }, status: 202 }),
    }
    const app = await openInvitations({ outlets: [createAsHttpOutlet(), outlet] })
    const first = await app.start()
    expect(seen(await app.start())).toEqual(seen(first))
  })

  it('can be watched as the first can, and never tells what becomes of the other', async () => {
    const app = await openInvitations()
    const [first, second] = [await app.start(), await app.start()]
    const [one, two] = [first.body.watch, second.body.watch]
    expect(one).not.toBe(two)
    const waiting = await app.watch(one)
    expect(waiting.body).toMatchObject({ state: 'waiting', expiresAt: expect.any(Number) })
    expect(seen(await app.watch(two))).toEqual(seen(waiting))
    await app.send({ wfs: app.mails[0]!.token, input: { accept: true } })
    expect((await app.watch(one)).body.state).toBe('ended')
    expect((await app.watch(two)).body.state).toBe('waiting')
    app.clock.advance(60_000)
    expect((await app.watch(two)).body.state).toBe('expired')
  })

  it('is watched by as many reads, so that no clock tells them apart', async () => {
    const app = await openInvitations()
    const [first, second] = [await app.start(), await app.start()]
    const find = vi.spyOn(app.runs, 'find')
    const readsOf = async (token: string) => {
      find.mockClear()
      await app.watch(token)
      return find.mock.calls.length
    }
    const reads = await readsOf(first.body.watch)
    expect(reads).toBeGreaterThan(0)
    expect(await readsOf(second.body.watch)).toBe(reads)
  })

  it('has a code that is wrong as another is', async () => {
    const app = await openInvitations({}, { code: true })
    const tryIt = async (answer: Answer) => {
      const [cookie = ''] = answer.headers.getSetCookie().map(one => one.split(';')[0]!)
      const body = { watch: answer.body.watch, code: 'AAAA-AAAA' }
      return seen(await app.send(body, { cookie }))
    }
    const [first, second] = [await app.start(), await app.start()]
    expect(await tryIt(second)).toEqual(await tryIt(first))
  })

  it('waits for the first, where that has not been sent yet', async () => {
    const app = await openInvitations()
    let send = () => {}
    const isReached = new Promise<void>(reached => {
      app.deeds.send = () => {
        reached()
        return new Promise(resolve => {
          send = () => resolve(outletEmail('ada@example.com', 'invite'))
        })
      }
    })
    const first = app.start()
    await isReached
    const second = app.start()
    await vi.waitFor(async () => expect((await app.owner())?.status).toBe('active'))
    send()
    expect(seen(await second)).toEqual(seen(await first))
    expect(app.mails).toHaveLength(1)
  })

  it('begins where the first has come to nothing meanwhile', async () => {
    const app = await openInvitations()
    let fail = () => {}
    const isReached = new Promise<void>(reached => {
      app.deeds.send = () => {
        reached()
        return new Promise(resolve => {
          fail = () => resolve(undefined)
        })
      }
    })
    const first = app.start()
    await isReached
    const second = app.start()
    app.deeds.send = () => outletEmail('ada@example.com', 'invite')
    fail()
    expect((await first).body.finished).toBe(true)
    expect((await second).body.sent).toBe(true)
    expect(app.mails).toHaveLength(1)
  })

  it('is refused by the form as the first would be, and nothing is started', async () => {
    const app = await openInvitations()
    const wrong = { ...APPROVE, decision: '' }
    const before = await app.start(undefined, wrong)
    expect([before.status, before.body.error.code]).toEqual([422, 'WF_REJECTED'])
    expect(before.body.inputRequired.context.errors).toHaveProperty('decision')
    expect(before.body.wfs).toBeUndefined()
    expect((await app.api.list()).runs).toEqual([])
    await app.start()
    expect(seen(await app.start(undefined, wrong))).toEqual(seen(before))
  })

  it('cannot be told from one that would ask its caller: neither gets anything', async () => {
    const app = await openInvitations()
    app.deeds.send = () => outletHttp({ ask: 'name' })
    const first = await app.start()
    expect([first.status, first.body.error.code]).toEqual([500, 'WF_INTERNAL'])
    expect(app.log.some(({ text }) => text.includes('asks its caller, who is not known'))).toBe(
      true,
    )
    const { flowId } = (await app.owner())!
    await app.api.cancel(flowId)
    await app.start('ada')
    expect(seen(await app.start())).toEqual(seen(first))
  })

  it.each([
    ['for a machine', () => waitFor('paid')],
    ['for a moment', () => delay({ ms: 1000 })],
  ])('cannot be told from one that would wait %s: neither gets anything', async (_for, wait) => {
    const app = await openInvitations()
    app.deeds.send = wait
    const first = await app.start()
    expect([first.status, first.body.error.code]).toEqual([500, 'WF_INTERNAL'])
    const { flowId } = (await app.owner())!
    await app.api.cancel(flowId)
    expect((await app.start('ada')).status).toBeLessThan(300)
    expect(seen(await app.start())).toEqual(seen(first))
  })

  it('is refused with a key that is none, and needs none', async () => {
    const app = await openInvitations()
    const long = { ...APPROVE, comment: 'x'.repeat(201) }
    expect((await app.start(undefined, long)).status).toBe(400)
    const { body } = await app.start(undefined, { decision: 'approve' })
    expect(body.sent).toBe(true)
  })
})

describe('a start by someone known whose key another run has', () => {
  it.each([
    ['reject', 'ada'],
    ['join', 'eve'],
    ['supersede', 'eve'],
  ] as const)('is refused: %s, %s', async (onConflict, user) => {
    const app = await openInvitations({ onConflict })
    await app.start('ada')
    const { flowId } = (await app.owner())!
    const { status, body, text } = await app.start(user)
    expect([status, body.error.code]).toEqual([409, 'WF_CONFLICT'])
    expect(text).not.toContain(flowId)
    expect(await app.owner()).toMatchObject({ flowId, status: 'paused' })
  })

  it('can watch what they have started, and gets no token of it', async () => {
    const app = await openInvitations({ onConflict: 'join' })
    await app.start('ada')
    const { status, body } = await app.start('ada')
    expect([status, body]).toEqual([200, { joined: true, watch: expect.any(String) }])
    expect((await app.watch(body.watch)).body.state).toBe('waiting')
    await app.send({ wfs: app.mails[0]!.token, input: { accept: true } })
    expect((await app.watch(body.watch)).body.state).toBe('ended')
  })

  it('ends what they have started themselves', async () => {
    const app = await openInvitations({ onConflict: 'supersede' })
    await app.start('ada')
    const { flowId } = (await app.owner())!
    expect((await app.start('ada')).body.sent).toBe(true)
    expect(await app.api.get(flowId)).toMatchObject({ status: 'cancelled' })
    const { body } = await app.send({ wfs: app.mails[0]!.token, input: { accept: true } })
    expect(body.error.code).toBe('WF_REVOKED')
    const last = await app.send({ wfs: app.mails[1]!.token, input: { accept: true } })
    expect(last.body.finished).toBe(true)
  })

  it('does so for a run of its own workflow alone', async () => {
    const app = await openInvitations({ onConflict: 'supersede' })
    await app.start('ada')
    const { status } = await app.start('ada', APPROVE, 'invite/other')
    expect(status).toBe(409)
  })
})

describe('a configuration', () => {
  it.each([
    { runKey: 'email' },
    { onConflict: 'replace' },
    { runKey: undefined, onConflict: 'join' },
  ])('is refused that says otherwise: %j', async config => {
    const app = await openInvitations(config as never)
    expect((await app.start()).status).toBe(500)
    expect(
      app.log.some(({ text }) => text.includes('WF_CONFIG') || /runKey|onConflict/u.test(text)),
    ).toBe(true)
  })
})
