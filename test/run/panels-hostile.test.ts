import {
  createWfRunner,
  createWfRuns,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletEach,
  Step,
  swapStrategy,
  useWfAnswers,
  WfInput,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { VoteForm } from '../fixtures/schemas/vote-form.as'
import { SECRET } from '../support/durable-app'
import { buildApp } from '../support/moost-app'
import {
  ADA,
  ask,
  BOB,
  CLEO,
  DAN,
  keepMails,
  openPanelApp,
  type PanelApp,
} from '../support/panel-app'

const HOUR_MS = 60 * 60_000

const fresh = (options = {}) => {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  return openPanelApp({ clock, runs }, options)
}

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const DONE = { kind: 'finished' }

type Json = Record<string, ReturnType<typeof JSON.parse>>

/** Somebody has written the row by hand. */
async function tamper(
  { runs }: PanelApp,
  flowId: string,
  change: (panel: Json, meta: Json) => unknown,
) {
  const run = (await runs.find(flowId))!
  const state = structuredClone(run.state) as Json
  const { pause } = state.meta.wf
  const next = change(pause.panel, state.meta)
  if (next !== undefined) pause.panel = next
  const change_ = { events: [{ type: 'updated' }], state, dueAt: run.dueAt } as never
  if (!(await runs.commit({ run }, change_))) throw new Error('It was not written.')
}

const seatAt = (change: (seat: Json) => unknown) => (panel: Json) => void change(panel.seats[0])

describe('a row that somebody has changed', () => {
  it.each<[string, (panel: Json, meta: Json) => unknown]>([
    ['no record', () => 'x'],
    ['null', () => null],
    ['a list', () => []],
    ['no people', panel => ({ ...panel, seats: 'x' })],
    ['an empty list of people', panel => ({ ...panel, seats: [] })],
    ['people who are none', panel => ({ ...panel, seats: [null, 7, 'x'] })],
    ['no rule', panel => ({ ...panel, rule: undefined })],
    ['a rule by text', panel => ({ ...panel, rule: { ...panel.rule, needed: '1' } })],
    ['a rule that is fulfilled', panel => ({ ...panel, rule: { ...panel.rule, needed: 0 } })],
    ['a rule of nothing', panel => ({ ...panel, rule: { ...panel.rule, agree: 7 } })],
    ['a rule of anything', panel => ({ ...panel, rule: { ...panel.rule, refuse: [{}, null] } })],
    ['except by text', panel => ({ ...panel, except: 'eve' })],
    ['except by a number', panel => ({ ...panel, except: 7 })],
    ['a person twice', panel => ({ ...panel, seats: [panel.seats[0], ...panel.seats] })],
    ['a person by a number', seatAt(seat => (seat.id = 7))],
    ['a person of the prototype', seatAt(seat => (seat.id = '__proto__'))],
    ['no recipient', seatAt(seat => (seat.recipient = null))],
    ['a recipient without address', seatAt(seat => (seat.recipient = {}))],
    ['a form of nothing', seatAt(seat => (seat.form = 'x'))],
    ['another form', seatAt(seat => (seat.form = { id: 7, digest: {} }))],
    ['an answer of nothing', seatAt(seat => (seat.answer = 7))],
    ['an answer without anything', seatAt(seat => (seat.answer = {}))],
    [
      'an answer of any kind',
      seatAt(seat => (seat.answer = { at: 'x', by: {}, action: 7, input: [] })),
    ],
    ['a user of any kind', seatAt(seat => (seat.user = { is: 'me' }))],
    ['links of nobody', (_panel, meta) => void (meta.durable.seats = 'x')],
    ['links of any kind', (_panel, meta) => void (meta.durable.seats = { [ADA]: 'x' })],
  ])('lets nobody decide by it, and nothing breaks: %s', async (_what, change) => {
    const app = await fresh({ strategy: { defaultTtl: HOUR_MS } })
    const deadline = { afterMs: 4 * HOUR_MS, remindEveryMs: HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start([ADA, BOB, CLEO], {
      deadline,
      except: ['eve'],
      showsAnswers: true,
    })
    await tamper(app, flowId, change)
    for (const to of [ADA, BOB]) {
      const token = app.latest(to)
      await app.runner.peek(token, { actor: 'dan' })
      await app.runner.resume(token, { actor: 'dan' })
      await app.runner.askFresh(token)
    }
    const got = await app.api.get(flowId)
    expect(got?.status).toBe('paused')
    expect(Number.isNaN(got?.asked?.agreed)).toBe(false)
    await app.api.getSnapshot(flowId)
    await app.api.reassign(flowId, { from: '7', to: DAN }).catch((error: unknown) => {
      expect(error).toHaveProperty('code')
    })
    const said = await app.vote(ADA, 'approve')
    expect(['noted', 'refused']).toContain(said.kind)
    expect(app.ran).not.toContain('tell')
    await app.wait(HOUR_MS)
    await app.wait(4 * HOUR_MS)
    expect(await app.api.cancel(flowId).catch((error: { code: string }) => error.code)).toBeTruthy()
  })
})

describe('two links of one person', () => {
  it('count once, at the same instant as well', async () => {
    const app = await fresh()
    const deadline = { afterMs: 48 * HOUR_MS, remindEveryMs: HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all', deadline })
    const first = app.latest(ADA)
    await app.wait(HOUR_MS)
    await app.wait(0)
    const second = app.latest(ADA)
    expect(second).not.toBe(first)
    const answers = await Promise.all(
      [first, second, first, second].map(token =>
        app.runner.resume(token, { action: 'approve', input: {} }),
      ),
    )
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual([
      'noted',
      'refused',
      'refused',
      'refused',
    ])
    expect((await app.api.get(flowId))?.asked).toMatchObject({ agreed: 1 })
  })
})

describe('an answer at the moment of the deadline', () => {
  it('decides, or the deadline does', async () => {
    for (let round = 0; round < 10; round++) {
      const app = await fresh()
      const deadline = { afterMs: HOUR_MS, onTimeout: 'escalate' }
      const { flowId } = await app.start([ADA, BOB], { deadline })
      await app.vote(ADA, 'approve')
      app.clock.advance(HOUR_MS)
      const late = () => app.vote(BOB, 'approve')
      const due = () => app.api.runDue()
      const both = round % 2 ? [late(), due()] : [due(), late()]
      await Promise.all(both)
      await app.api.runDue()
      const { outcome } = await app.context(flowId)
      const isDecided = outcome === 'reached'
      expect(app.ran).toEqual(['decide', isDecided ? 'decide' : 'escalate', 'tell'])
      expect((await app.api.get(flowId))?.status).toBe('completed')
      expect(await late()).toMatchObject(USED)
    }
  })
})

describe('a fresh link', () => {
  it('is for each of those who are asked, however often another has asked for one', async () => {
    const app = await fresh({ strategy: { defaultTtl: HOUR_MS } })
    await app.start([ADA, BOB])
    const [hers, his] = [app.latest(ADA), app.latest(BOB)]
    app.clock.advance(HOUR_MS)
    expect(await app.runner.askFresh(hers)).toBe(true)
    expect(await app.runner.askFresh(hers)).toBe(false)
    expect(await app.runner.askFresh(his)).toBe(true)
  })
})

describe('a fresh link, once they have answered', () => {
  it('is not sent', async () => {
    const app = await fresh({ strategy: { defaultTtl: HOUR_MS } })
    await app.start([ADA, BOB])
    const hers = app.latest(ADA)
    await app.vote(ADA, 'approve')
    app.clock.advance(HOUR_MS)
    expect(await app.runner.askFresh(hers)).toBe(false)
  })
})

describe('what the starter can watch', () => {
  it('tells that it waits and that it has ended, and nothing of those who are asked', async () => {
    const app = await fresh()
    const { watch } = await app.start([ADA, BOB])
    await app.vote(ADA, 'approve', { comment: 'fine' })
    const waiting = await app.runner.watch(watch!)
    expect(waiting).toMatchObject({ state: 'waiting' })
    expect(JSON.stringify(waiting)).not.toMatch(/@|fine/u)
    await app.vote(BOB, 'approve')
    expect(await app.runner.watch(watch!)).toMatchObject({ state: 'ended' })
  })
})

describe('people of a loop', () => {
  it('are asked in each round, and nothing is left of the one before', async () => {
    const app = await fresh({
      build: {
        schema: [{ while: (ctx: Json) => (ctx.rounds ?? 0) < 2, steps: ['decide'] }, 'tell'],
      },
    })
    const seen: unknown[] = []
    app.deeds.decide = (ctx, answers) => {
      seen.push([answers.outcome, answers.all.length])
      if (!answers.isDecided) return ask(ctx)
      ctx.rounds = ((ctx.rounds as number | undefined) ?? 0) + 1
    }
    await app.start([ADA, BOB], { quorum: 'first' })
    const old = app.latest(BOB)
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'sent' })
    await app.api.runDue()
    expect(await app.runner.resume(old, { action: 'approve', input: {} })).toMatchObject(USED)
    expect(await app.vote(BOB, 'approve')).toMatchObject(DONE)
    expect(seen).toEqual([
      ['open', 0],
      ['reached', 1],
      ['open', 0],
      ['reached', 1],
    ])
  })
})

describe('a step that ends before its people have decided', () => {
  it('asks anew in the next round, and not on', async () => {
    const schema = [{ while: (ctx: Json) => (ctx.rounds ?? 0) < 1, steps: ['decide'] }, 'decide']
    const app = await fresh({ build: { schema } })
    app.deeds.decide = (ctx, { current }) => {
      if (!current) return ask(ctx)
      ctx.rounds = 1
    }
    await app.start([ADA, BOB], { runsEach: true })
    const old = app.latest(BOB)
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'sent' })
    await app.api.runDue()
    expect(app.mails).toHaveLength(4)
    expect(await app.runner.resume(old, { action: 'approve', input: {} })).toMatchObject(USED)
    expect(await app.vote(ADA, 'approve')).toMatchObject(DONE)
  })

  it('tells each that they can change what they have said, where they can', async () => {
    const app = await fresh()
    await app.start([ADA, BOB], { runsEach: true, canChange: true })
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'noted', canChange: true })
  })
})

describe('a reminder', () => {
  it('is written to nobody who has answered, and reaches nobody who has since', async () => {
    const app = await fresh()
    const deadline = { afterMs: 48 * HOUR_MS, remindEveryMs: HOUR_MS, onTimeout: 'escalate' }
    const { flowId } = await app.start([ADA, BOB, CLEO], { quorum: 'all', deadline })
    await app.vote(ADA, 'approve')
    app.clock.advance(HOUR_MS)
    await app.api.execute(flowId)
    await app.vote(BOB, 'approve')
    await app.api.runDue()
    const event = (await app.api.history(flowId)).find(({ type }) => type === 'reminded')
    const asked = [BOB, CLEO].map(to => ({ seat: to, to }))
    expect(event?.detail).toMatchObject({ asked })
    const reminded = app.mails.filter(({ reminder }) => reminder === 1)
    expect(reminded.map(({ target }) => target)).toEqual([CLEO])
  })
})

describe('a flow of another strategy', () => {
  const openMixed = async (strategyName: string) => {
    const clock = new FakeClock()
    const { mails, outlets } = keepMails()
    @Controller('mixed')
    class Mixed {
      @Workflow('flow')
      @WorkflowSchema<{ done?: boolean }>(['first', 'decide'])
      flow() {}

      @Step('first')
      first(@WorkflowParam('input') input?: object) {
        if (!input) return { inputRequired: { outlet: 'http', payload: { ask: 1 } } }
      }

      @Step('decide')
      decide(
        @WorkflowParam('context') ctx: { swaps?: boolean; done?: boolean },
        @WfInput({ form: VoteForm, ask: false }) _input?: VoteForm,
      ) {
        const answers = useWfAnswers()
        if (answers.isDecided) return void (ctx.done = true)
        if (ctx.swaps) swapStrategy('durable')
        return outletEach([{ to: ADA }, { to: BOB }], { form: VoteForm, quorum: 2 })
      }
    }
    const { app, wf } = buildApp([Mixed])
    await app.init()
    const runs = new WfRunStoreMemory({ clock, outbox: true })
    const config = {
      state: {
        strategies: {
          durable: new DurableStateStrategy({ runs, secret: SECRET }),
          handle: new HandleStateStrategy({ store: new WfStateStoreMemory({ clock }) }),
          encapsulated: new EncapsulatedStateStrategy({ secret: SECRET, clock }),
        },
        default: strategyName as 'durable',
      },
      outlets,
      clock,
    }
    const silent = { debug() {}, info() {}, warn() {}, error() {} } as never
    return {
      mails,
      runner: createWfRunner(config, wf),
      api: createWfRuns({ ...config, worker: false, logger: silent }, wf),
    }
  }

  it.each(['handle', 'encapsulated'])('cannot ask several people, and says so: %s', async name => {
    const { runner, mails } = await openMixed(name)
    const started = await runner.start('mixed/flow', { context: {} })
    if (started.kind !== 'paused') throw new Error(started.kind)
    const go = runner.resume(started.token, { input: {} })
    await expect(go).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await expect(go).rejects.toThrow(/outletEach\(\) is for durable runs/u)
    expect(mails).toEqual([])
  })

  it('asks them once it has moved into a durable run', async () => {
    const { runner, api, mails } = await openMixed('handle')
    const started = await runner.start('mixed/flow', { context: { swaps: true } })
    if (started.kind !== 'paused') throw new Error(started.kind)
    const sent = await runner.resume(started.token, { input: {} })
    expect(sent).toMatchObject({ kind: 'sent' })
    await api.runDue()
    expect(mails).toHaveLength(2)
    const [one, other] = mails.map(({ token }) => token)
    expect(await runner.resume(one!, { action: 'approve', input: {} })).toMatchObject(NOTED)
    expect(await runner.resume(other!, { action: 'approve', input: {} })).toMatchObject(DONE)
  })
})
