import { randomBytes } from 'node:crypto'
import {
  createWfRuns,
  DurableStateStrategy,
  outletHttp,
  Step,
  useWfFacts,
  type WfOutletConfig,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { useHeaders } from '@atscript/moost-wf/http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { Controller } from 'moost'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openApprovals } from '../support/approval-app'
import { openFormApp } from '../support/form-app'

const APPROVE = { decision: 'approve' }

function durable(options: object = {}) {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock })
  return {
    clock,
    runs,
    state: new DurableStateStrategy({ runs, secret: randomBytes(32), ...options }),
  }
}

describe('a durable run over HTTP', () => {
  it('tells who comes late that it was answered, by whom and when, without a ledger', async () => {
    const { state, clock } = durable()
    const app = await openApprovals({
      config: { state, ledger: undefined },
      link: { usedNote: 'the boss' },
    })
    const wfs = await app.ask()
    await app.send({ wfs, input: { decision: 'approve', comment: 'hm' } })
    clock.advance(5000)
    const at = clock.now()
    expect((await app.send({ wfs, input: APPROVE })).body.finished).toBe(true)
    clock.advance(60_000)
    for (const late of [await app.send({ wfs, input: APPROVE }), await app.look(wfs)]) {
      expect([late.status, late.body.error.code]).toEqual([410, 'WF_USED'])
      expect(late.body.error.answered).toEqual({ at, by: 'the boss' })
    }
  })

  it('shows no form of a link whose answer is tried again', async () => {
    const retry = { attempts: 2, baseMs: 1000, jitter: 0 }
    const { state, clock } = durable({ retry })
    let isDown = true
    const app = await openApprovals({
      config: { state, clock },
      whileDeciding: async () => {
        if (isDown) throw new Error('A test.')
      },
    })
    const wfs = await app.ask()
    const told = await app.send({ wfs, input: APPROVE })
    expect([told.status, told.body.retrying]).toEqual([202, true])
    const opened = await app.send({ wfs })
    expect([opened.status, opened.body]).toEqual([202, told.body])
    isDown = false
    clock.advance(1000)
    expect((await app.send({ wfs, input: APPROVE })).body.finished).toBe(true)
  })

  it('tells whoever waits for an answer that it was cancelled', async () => {
    const { state } = durable()
    let decide = () => {}
    const app = await openApprovals({
      config: { state },
      whileDeciding: () => new Promise(resolve => (decide = resolve)),
    })
    const runs = createWfRuns({ state, worker: false }, app.wf)
    const wfs = await app.ask()
    const answer = app.send({ wfs, input: APPROVE })
    await vi.waitFor(() => expect(app.ran).toContain('decide'))
    const [run] = (await runs.list()).runs
    await runs.cancel(run!.flowId)
    decide()
    const { status, body } = await answer
    expect([status, body.error.code]).toEqual([410, 'WF_REVOKED'])
    expect((await app.look(wfs)).body.error.code).toBe('WF_REVOKED')
  })

  it('keeps what the endpoint knows of a request for steps that run when it is over', async () => {
    const { state, clock } = durable({ leaseMs: 1000 })
    const seen: unknown[] = []
    let hangs = true

    @Controller('shop')
    class Shop {
      @Workflow('order')
      @WorkflowSchema(['ask', 'work'])
      order() {}

      @Step('ask')
      ask(@WorkflowParam('input') input?: object) {
        if (!input) return outletHttp({ ask: 'name' })
      }

      @Step('work')
      async work() {
        seen.push(useWfFacts())
        if (hangs) await new Promise(() => {})
      }
    }

    const facts: WfOutletConfig['facts'] = () => ({ language: useHeaders()['accept-language'] })
    const app = await openFormApp(Shop, {
      state,
      facts,
      actor: () => String(useHeaders()['x-user']),
    })
    const wfs = await app.start('shop/order')
    const headers = { 'accept-language': 'de', 'x-user': 'ada' }
    app.send({ wfs, input: {} }, headers).catch(() => undefined)
    await vi.waitFor(() => expect(seen).toEqual([{ language: 'de' }]))
    hangs = false
    const runs = createWfRuns({ state, worker: false, workerName: 'node 2' }, app.wf)
    onTestFinished(() => runs.stop())
    // The first one goes on saying that it is alive.
    await vi.waitFor(
      async () => {
        clock.advance(1000)
        expect(await runs.runDue()).toMatchObject({ done: 1 })
      },
      { timeout: 10_000 },
    )
    expect(seen).toEqual([{ language: 'de' }, { language: 'de' }])
    const [run] = (await runs.list()).runs
    expect(
      (await runs.history(run!.flowId)).find(({ type }) => type === 'recovered'),
    ).toMatchObject({ actor: 'node 2', detail: { askedBy: 'ada' } })
  })

  it('starts only with facts that are a function', async () => {
    const { state } = durable()
    const app = await openApprovals({ config: { state, facts: {} as never } })
    const answer = await app.send({ wfid: 'leave/request' })
    expect(answer.status).toBe(500)
  })
})
