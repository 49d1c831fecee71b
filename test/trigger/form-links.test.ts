import { randomBytes } from 'node:crypto'
import {
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { DecisionForm as ChangedForm } from '../fixtures/schemas/next/decision-form.as'
import { notesOf } from '../../src/state'
import { openApprovals } from '../support/approval-app'

const APPROVE = { decision: 'approve' }
const done = (decision: string, tries = 1) => ({ finished: true, data: { decision, tries } })

const strategies = {
  handle: () => new HandleStateStrategy({ store: new WfStateStoreMemory() }),
  stable: () => new HandleStateStrategy({ store: new WfStateStoreMemory(), stable: true }),
  encapsulated: () =>
    new EncapsulatedStateStrategy({ secret: randomBytes(32), replay: new WfLedgerMemory() }),
  durable: () =>
    new DurableStateStrategy({ runs: new WfRunStoreMemory(), secret: randomBytes(32) }),
}

describe.each(Object.entries(strategies))('a link whose pause names a form, %s', (_name, state) => {
  it('shows the form as often as it is opened, and runs nothing', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    for (let opened = 0; opened < 3; opened++) {
      const { status, body } = await app.send({ wfs })
      expect(status).toBe(200)
      expect(body.wfs).toBe(wfs)
      expect(body.inputRequired.payload.id).toBe('DecisionForm')
      expect(body.inputRequired.context).toEqual({ reason: 'the sea' })
    }
    expect(app.ran).toEqual([])
    expect((await app.send({ wfs, input: APPROVE })).body).toEqual(done('approve'))
  })

  it('is used by the first answer, and everyone else is told so', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    expect((await app.send({ wfs, input: APPROVE })).body.finished).toBe(true)
    for (const late of [{ wfs }, { wfs, input: { decision: 'reject' } }]) {
      const { status, body } = await app.send(late)
      expect([status, body.error.code]).toEqual([410, 'WF_USED'])
      expect(body.error.answered).toEqual({})
      expect(body.message).toBe('This has been answered already.')
    }
  })

  it('asks again with what is wrong, and is not used by that', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    const wrong = await app.send({ wfs, input: { decision: 'maybe', comment: 'x'.repeat(30) } })
    expect(wrong.status).toBe(200)
    expect(wrong.body.wfs).toBe(wfs)
    expect(Object.keys(wrong.body.inputRequired.context.errors)).toEqual(['decision', 'comment'])
    const unknown = await app.send({ wfs, action: 'explode' })
    expect(unknown.body.inputRequired.context.formMessage).toBe('This form has no such action.')
    expect(app.ran).toEqual([])
    expect((await app.send({ wfs, input: APPROVE })).body).toEqual(done('approve'))
  })

  it('takes an action without data as an answer', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    expect((await app.send({ wfs, action: 'later' })).body).toEqual(done('later'))
  })

  it('takes the newer wire too', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    const wrong = await app.send({ wfs, input: { formData: { decision: 'maybe' } } })
    expect(wrong.body.wfs).toBe(wfs)
    const right = await app.send({ wfs, input: { formData: APPROVE, action: null } })
    expect(right.body).toEqual(done('approve'))
  })

  it('tells a look that there is a form, and not what the flow knows', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const { status, body } = await app.look(await app.ask())
    expect(status).toBe(200)
    expect(body).toMatchObject({ resumable: true, wfid: 'leave/request' })
    expect(body.inputRequired.payload.id).toBe('DecisionForm')
    expect(body.inputRequired.context).toEqual({})
  })

  it('asks the guards of the step before it shows anything', async () => {
    const app = await openApprovals({ config: { state: state() } })
    const wfs = await app.ask()
    const headers = { 'x-user': 'mallory' }
    for (const body of [{ wfs }, { wfs, input: { decision: 'maybe' } }, { wfs, input: APPROVE }]) {
      const refused = await app.send(body, headers)
      expect(refused.status).toBe(403)
      expect(refused.text).not.toContain('the sea')
      expect(refused.text).not.toContain('DecisionForm')
    }
    const looked = await app.look(wfs, headers)
    expect(looked.status).toBe(403)
    expect(looked.body.inputRequired).toBeUndefined()
    expect((await app.send({ wfs, input: APPROVE })).body).toEqual(done('approve'))
  })
})

describe('a link whose step is not content', () => {
  it.each(['handle', 'stable'] as const)('lives on where the strategy can stay: %s', async name => {
    const app = await openApprovals({ config: { state: strategies[name]() } })
    const wfs = await app.ask()
    const again = await app.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    expect(again.body.wfs).toBe(wfs)
    expect(again.body.inputRequired.context.errors).toEqual({ comment: 'Say more.' })
    expect((await app.send({ wfs })).body.inputRequired.context).toEqual({ reason: 'the sea' })
    expect((await app.send({ wfs, input: APPROVE })).body).toEqual(done('approve', 2))
  })

  it('gets a new token where the token is the state', async () => {
    const app = await openApprovals({ config: { state: strategies.encapsulated() } })
    const wfs = await app.ask()
    const again = await app.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    expect(again.body.wfs).not.toBe(wfs)
    expect(again.body.inputRequired.context.errors).toEqual({ comment: 'Say more.' })
    const answer = await app.send({ wfs: again.body.wfs, input: APPROVE })
    expect(answer.body).toEqual(done('approve', 2))
  })
})

describe('what a pause says about its form', () => {
  it('shows the context to whoever looks, if the workflow says so', async () => {
    const app = await openApprovals({ link: { showContext: true } })
    const { body } = await app.look(await app.ask())
    expect(body.inputRequired.context).toEqual({ reason: 'the sea' })
  })

  it('tells those who come late when and by whom it was answered, if the workflow says so', async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 18, 9))
    const app = await openApprovals({ link: { usedNote: 'Ada' }, config: { clock } })
    const wfs = await app.ask()
    await app.send({ wfs, input: APPROVE })
    const { body } = await app.send({ wfs })
    expect(body.error.answered).toEqual({ at: clock.now(), by: 'Ada' })
    expect(body.message).toBe(
      'This has been answered already by Ada, Wed, 18 Nov 2026 09:00:00 GMT.',
    )
  })

  it('is for the browser that it is bound to, and shows nothing to others', async () => {
    const app = await openApprovals({ link: { link: 'sameBrowser' } })
    const wfs = await app.ask()
    for (const body of [{ wfs }, { wfs, input: APPROVE }, { wfs, input: {} }]) {
      const refused = await app.send(body)
      expect([refused.status, refused.body.error.code]).toEqual([403, 'WF_WRONG_BROWSER'])
      expect(refused.text).not.toContain('DecisionForm')
    }
    expect((await app.look(wfs)).body.inputRequired).toBeUndefined()
  })

  it('keeps the name and the digest of the form, and not the form', async () => {
    const app = await openApprovals()
    await app.ask()
    const handle = app.mails[0]!.token.slice('default.'.length)
    const stored = await app.store.get(handle)
    const { form } = notesOf(stored!.state)!.pause!
    expect(form).toEqual({ id: 'DecisionForm', digest: expect.stringMatching(/^[\w-]{16}$/u) })
    expect(JSON.stringify(stored!.state)).not.toContain('Comment')
  })
})

describe('between opening and answering', () => {
  it('a deploy changes the form: it is shown in its new shape, and says so', async () => {
    const store = new WfStateStoreMemory()
    const state = () => new HandleStateStrategy({ store })
    const before = await openApprovals({ config: { state: state() } })
    const wfs = await before.ask()
    await before.send({ wfs })
    const after = await openApprovals({ config: { state: state() }, form: ChangedForm })
    const wrong = await after.send({ wfs, input: APPROVE })
    expect(wrong.body.wfs).toBe(wfs)
    expect(wrong.body.inputRequired.payload.type.props).toHaveProperty('costCentre')
    const { errors, formMessage } = wrong.body.inputRequired.context
    expect(errors).toHaveProperty('costCentre')
    expect(formMessage).toBe('This form has changed meanwhile. Please look at it again.')
    const right = await after.send({ wfs, input: { ...APPROVE, costCentre: '7' } })
    expect(right.body).toEqual(done('approve'))
  })

  it('it expires: nothing is shown', async () => {
    const clock = new FakeClock(0)
    const store = new WfStateStoreMemory({ clock })
    const state = new HandleStateStrategy({ store, clock, defaultTtl: 1000 })
    const app = await openApprovals({ config: { state, clock } })
    const wfs = await app.ask()
    expect((await app.send({ wfs })).status).toBe(200)
    clock.advance(1001)
    const late = await app.send({ wfs, input: APPROVE })
    expect(late.status).toBe(410)
    expect(late.text).not.toContain('the sea')
  })

  it('a hundred scanners and three people come at once to two processes: one answer, no dead end', async () => {
    const ledger = new WfLedgerMemory()
    const store = new WfStateStoreMemory()
    const open = () =>
      openApprovals({ config: { state: new HandleStateStrategy({ store }), ledger } })
    const apps = [await open(), await open()] as const
    const wfs = await apps[0].ask()
    const scanners = Array.from({ length: 100 }, (_, n) => apps[n % 2]!.look(wfs))
    const people = ['approve', 'reject', 'approve'].map(async (decision, n) => {
      const { send } = apps[n % 2]!
      const opened = await send({ wfs })
      const wrong = await send({ wfs, input: { decision, comment: 'x'.repeat(30) } })
      const asked = await send({ wfs, input: { decision, comment: 'hm' } })
      return [opened, wrong, asked, await send({ wfs, input: { decision } })]
    })
    const seen = await Promise.all(scanners)
    const answers = (await Promise.all(people)).flat()
    expect(answers.filter(({ body }) => body.finished).length).toBeLessThanOrEqual(1)
    const codes = [...seen, ...answers].map(({ body }) => body.error?.code ?? 'ok')
    expect(codes.filter(code => !['ok', 'WF_USED', 'WF_BUSY'].includes(code))).toEqual([])
    // Whoever was told to wait comes again.
    const last = await apps[1].send({ wfs, input: APPROVE })
    const all = [...answers, last].filter(({ body }) => body.finished)
    expect(all).toHaveLength(1)
    expect((await apps[0].send({ wfs })).body.error.code).toBe('WF_USED')
  })

  it('another process has the link while it looks at an answer: wait, it may live', async () => {
    const ledger = new WfLedgerMemory()
    const store = new WfStateStoreMemory()
    const config = () => ({ state: new HandleStateStrategy({ store }), ledger })
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => (arrive = resolve))
    let letGo = () => {}
    const held = new Promise<void>(resolve => (letGo = resolve))
    const here = await openApprovals({ config: config() })
    const there = await openApprovals({
      config: config(),
      whileDeciding: async () => {
        arrive()
        await held
      },
    })
    const wfs = await here.ask()
    const deciding = there.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    await arrived
    const meanwhile = await here.send({ wfs })
    expect([meanwhile.status, meanwhile.body.error.code]).toEqual([409, 'WF_BUSY'])
    letGo()
    expect((await deciding).body.wfs).toBe(wfs)
    expect((await here.send({ wfs, input: APPROVE })).body).toEqual(done('approve', 2))
  })
})

describe('what is noted of a link meanwhile', () => {
  it('is forgotten when the link lives on: one that is gone later is not said to be busy', async () => {
    const app = await openApprovals()
    const wfs = await app.ask()
    await app.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    await app.store.getAndDelete(wfs.slice('default.'.length))
    expect((await app.send({ wfs })).body.error.code).toBe('WF_STATE_GONE')
  })

  it('is no answer to a request that has only looked, which looks again', async () => {
    const app = await openApprovals()
    const wfs = await app.ask()
    const look = { wfs, requestId: 'the same look' }
    expect((await app.send(look)).body.inputRequired).toBeDefined()
    await app.send({ wfs, input: APPROVE })
    expect((await app.send(look)).body.error.code).toBe('WF_USED')
  })

  it('is short', async () => {
    const app = await openApprovals({ link: { usedNote: 'x'.repeat(5000) } })
    const wfs = await app.ask()
    await app.send({ wfs, input: APPROVE })
    expect((await app.send({ wfs })).body.error.answered.by).toHaveLength(200)
  })
})

describe('a pause that cannot be shown', () => {
  it('names a form that its step does not declare: the start of the flow says so', async () => {
    const app = await openApprovals({ named: ChangedForm })
    const { status } = await app.send({ wfid: 'leave/request' })
    expect(status).toBe(500)
    expect(app.log.some(({ text }) => text.includes('does not declare'))).toBe(true)
    expect(app.mails).toEqual([])
  })
})
