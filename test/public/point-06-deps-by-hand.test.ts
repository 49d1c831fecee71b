import {
  handleAsOutletRequest,
  MoostWf,
  outletHttp,
  Step,
  useWfAction,
  useWfFinished,
  type WfOutletTriggerDeps,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Post } from '@atscript/moost-wf/http'
import { FakeClock } from '@atscript/moost-wf/testing'
import { current } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'
import { WholeStrategy } from '../support/whole-strategy'

interface Ctx {
  names?: string[]
}

/** An endpoint whose deps are written as the public docs show it. */
async function openByHand() {
  const seen: string[] = []
  const strategy = new WholeStrategy(new FakeClock())
  const work = { inside: async (_wf: MoostWf): Promise<void> => undefined }
  const before = { run: async (_wf: MoostWf): Promise<void> => undefined }

  @Controller('shop')
  class Shop {
    @Workflow('order')
    @WorkflowSchema<Ctx>(['ask', 'next', 'last'])
    order() {}

    @Workflow('other')
    @WorkflowSchema<Ctx>(['other'])
    other() {}

    @Step('ask')
    ask(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input?: { name: string }) {
      seen.push(`ask ${useWfAction().getAction()}`)
      if (!input) return outletHttp({ ask: 'name' })
      ctx.names = [input.name]
    }

    @Step('next')
    async next() {
      seen.push(`next ${useWfAction().getAction()}`)
      await work.inside(wf)
    }

    @Step('last')
    last(@WorkflowParam('context') ctx: Ctx) {
      seen.push(`last ${useWfAction().getAction()}`)
      useWfFinished().set({ type: 'data', value: ctx.names })
    }

    @Step('other')
    otherStep() {
      seen.push('other')
    }
  }

  @Controller()
  class Endpoint {
    @Post('wf')
    handle() {
      const deps: WfOutletTriggerDeps = {
        start: (id, ctx, opts) =>
          wf.start(id, ctx, { input: opts.input, eventContext: opts.eventContext }),
        resume: async (state, opts) => {
          await before.run(wf)
          return wf.resume(state, { input: opts.input, eventContext: opts.eventContext })
        },
      }
      return handleAsOutletRequest({ state: strategy }, deps)
    }
  }

  const { url, wf } = await startApp([Shop, Endpoint])
  const send = (body: object) => request(url, body, {})
  return { send, seen, strategy, work, before }
}

const ADA = { name: 'Ada' }

describe('deps that are written by hand', () => {
  it('spend the action by the first step', async () => {
    const { send, seen } = await openByHand()
    const { wfs } = (await send({ wfid: 'shop/order' })).body
    const done = await send({ wfs, input: ADA, action: 'send' })
    expect(done.body).toEqual({ finished: true, data: ['Ada'] })
    expect(seen.slice(1)).toEqual(['ask send', 'next undefined', 'last undefined'])
  })

  it('save the run between steps, and go on from there', async () => {
    const { send, seen, strategy, work } = await openByHand()
    const { wfs } = (await send({ wfid: 'shop/order' })).body
    let reached = () => {}
    const isThere = new Promise<void>(resolve => (reached = resolve))
    work.inside = () => {
      reached()
      return new Promise(() => undefined)
    }
    void send({ wfs, input: ADA }).catch(() => undefined)
    await isThere
    work.inside = async () => undefined
    const [left] = strategy.crash()
    seen.length = 0
    const done = await send({ wfs: `default.${left?.token}` })
    expect(done.body).toEqual({ finished: true, data: ['Ada'] })
    expect(seen).toEqual(['next undefined', 'last undefined'])
  })

  it('may run something else first', async () => {
    const { send, seen, before } = await openByHand()
    const { wfs } = (await send({ wfid: 'shop/order' })).body
    before.run = async wf => {
      await wf.start('shop/other', {}, { eventContext: current() })
    }
    await send({ wfs, input: ADA, action: 'send' })
    expect(seen.slice(1)).toEqual(['other', 'ask send', 'next undefined', 'last undefined'])
  })

  it('do not take a run that a step starts for the one that is saved', async () => {
    const { send, strategy, work } = await openByHand()
    const saved: string[] = []
    const { claim } = strategy
    strategy.claim = function (token, options) {
      const claimed = claim.call(strategy, token, options)
      if (!('checkpoint' in claimed)) return claimed
      const { checkpoint } = claimed
      return {
        ...claimed,
        checkpoint: state => {
          saved.push(state.schemaId)
          return checkpoint?.(state)
        },
      }
    }
    work.inside = async wf => {
      work.inside = async () => undefined
      const options = { eventContext: current(), input: ADA }
      await wf.start('shop/other', {}, options)
      await wf.start('shop/order', {}, options)
    }
    const { wfs } = (await send({ wfid: 'shop/order' })).body
    expect((await send({ wfs, input: ADA })).body.finished).toBe(true)
    expect(saved).toEqual(['shop/order', 'shop/order', 'shop/order'])
  })
})
