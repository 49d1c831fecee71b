import {
  done,
  goTo,
  type MoostWf,
  Step,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
  WorkflowSteps,
} from '@atscript/moost-wf'
import type { WfNamedSteps } from '@atscript/moost-wf/moost'
import { useWfState } from '@wooksjs/event-wf'
import fc from 'fast-check'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import type { WfState } from '../../src/state'
import { buildApp } from '../support/moost-app'
import { scaled } from '../support/scale'

const NAMES = ['start', 'charge', 'ship', 'tell'] as const
type Name = (typeof NAMES)[number]

interface Order {
  trace: string[]
  asked?: string
}

type Says = (ctx: Order, input: unknown) => unknown

/** An application with one workflow of these steps. */
async function openOrders(says: Partial<Record<Name, Says>>, steps: WfNamedSteps = NAMES) {
  const run = (name: Name, ctx: Order, input: unknown) => {
    ctx.trace.push(input === undefined ? name : `${name}:${JSON.stringify(input)}`)
    return says[name]?.(ctx, input)
  }

  @Controller('orders')
  class Orders {
    @Workflow('order')
    @WorkflowSteps(steps)
    order() {}

    @Step('start')
    start(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input: unknown) {
      return run('start', ctx, input)
    }

    @Step('charge')
    charge(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input: unknown) {
      return run('charge', ctx, input)
    }

    @Step('ship')
    ship(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input: unknown) {
      return run('ship', ctx, input)
    }

    @Step('tell')
    tell(@WorkflowParam('context') ctx: Order, @WorkflowParam('input') input: unknown) {
      return run('tell', ctx, input)
    }
  }

  const { app, wf } = buildApp([Orders])
  await app.init()
  return wf
}

const fresh = (): Order => ({ trace: [] })

async function traceOf(wf: MoostWf, input?: unknown): Promise<string[]> {
  const { finished, state } = await wf.start('orders/order', fresh(), { input })
  expect(finished).toBe(true)
  return state.context.trace
}

describe('a workflow of named steps', () => {
  it('begins with the first, and goes where each says', async () => {
    const wf = await openOrders({
      start: () => goTo('ship'),
      ship: () => goTo('charge'),
      charge: () => ({ step: 'tell' }),
      tell: () => ({ done: true, result: 7 }),
    })
    expect(await traceOf(wf)).toEqual(['start', 'ship', 'charge', 'tell'])
  })

  it('may stay at a step, and go back', async () => {
    const wf = await openOrders({
      start: ctx => goTo(ctx.trace.length < 3 ? 'start' : 'ship'),
      ship: ctx => (ctx.trace.length < 6 ? goTo('start') : done()),
    })
    expect(await traceOf(wf)).toEqual(['start', 'start', 'start', 'ship', 'start', 'ship'])
  })

  it('gives the input to the first step that runs, and to no other', async () => {
    const wf = await openOrders({ start: () => goTo('charge'), charge: () => done() })
    expect(await traceOf(wf, { order: 7 })).toEqual(['start:{"order":7}', 'charge'])
  })

  it('pauses at a step and goes on there, with what was answered', async () => {
    const wf = await openOrders({
      start: () => goTo('ship'),
      ship: (_ctx, input) => (input ? goTo('tell') : { inputRequired: true }),
      tell: () => done(),
    })
    const paused = await wf.start('orders/order', fresh())
    expect(paused.finished).toBe(false)
    const state = JSON.parse(JSON.stringify(paused.state)) as typeof paused.state
    const { finished, state: end } = await wf.resume(state, { input: { yes: 1 } })
    expect(finished).toBe(true)
    expect(end.context.trace).toEqual(['start', 'ship', 'ship:{"yes":1}', 'tell'])
  })

  it('tells its steps which one runs', async () => {
    const seen: unknown[] = []
    const wf = await openOrders({
      start: () => {
        seen.push(wf.describe('orders/order')?.stepIdAt(useWfState().indexes() ?? []))
        return goTo('tell')
      },
      tell: () => {
        seen.push(wf.describe('orders/order')?.stepIdAt(useWfState().indexes() ?? []))
        return done()
      },
    })
    await traceOf(wf)
    expect(seen).toEqual(['orders/start', 'orders/tell'])
  })

  it.each([
    ['a step that there is not', goTo('nowhere'), 'Step "start" cannot go on at "nowhere".'],
    ['a name of an object', goTo('constructor'), 'Step "start" cannot go on at "constructor".'],
    ['nothing', undefined, 'Step "start" says neither'],
    ['something else', { next: 'ship' }, 'Step "start" says neither'],
    ['that it is not done', { done: false }, 'Step "start" says neither'],
    ['a number', { step: 1 }, 'Step "start" says neither'],
  ])('fails at a step that says %s', async (_what, says, message) => {
    const wf = await openOrders({ start: () => says })
    const run = wf.start('orders/order', fresh())
    await expect(run).rejects.toMatchObject({ code: 'WF_NO_SUCH_STEP' })
    await expect(run).rejects.toThrow(message)
  })

  it('goes no other ways than it has declared', async () => {
    const ways = { start: ['charge'], charge: ['charge', 'ship'], ship: [] }
    const wf = await openOrders({ start: () => goTo('charge'), charge: () => goTo('start') }, ways)
    await expect(wf.start('orders/order', fresh())).rejects.toThrow('cannot go on at "start"')
  })

  it.each<[string, unknown]>([
    ['goes on at "nowhere"', { start: ['nowhere'] }],
    ['there must be some', []],
    ['there must be some', {}],
    ['there must be some', ['start', '']],
    ['a name of its own', ['start', 'start']],
    ['by a list of names', { start: 'charge' }],
    ['by a list of names', { start: [1] }],
    ['a list of names', 'start'],
    ['a list of names', [1]],
    ['No @Step is registered as "orders/fly"', ['start', 'fly']],
  ])('is refused at the start of the application: %s', async (problem, steps) => {
    await expect(openOrders({}, steps as WfNamedSteps)).rejects.toThrow(problem)
  })

  it('is not a schema as well', async () => {
    @Controller()
    class Both {
      @Workflow('both')
      @WorkflowSteps(['a'])
      @WorkflowSchema(['a'])
      both() {}

      @Step('a')
      a() {}
    }
    await expect(buildApp([Both]).app.init()).rejects.toThrow('both @WorkflowSchema and')
  })
})

/** Where each run of a step goes on: a plan that any number of processes follow. */
const plans = fc.record({
  ways: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 12 }),
  pauses: fc.array(fc.boolean(), { minLength: 12, maxLength: 14 }),
})

it('goes the same way wherever it pauses, and from whichever checkpoint it goes on', async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ ways, pauses }, pick) => {
      const says: Says = (ctx, input) => {
        // Pauses count as they were answered: the trace is the same with and without them.
        if (input === undefined && pauses[ctx.trace.length] && ctx.asked !== ctx.trace.at(-1)) {
          ctx.asked = ctx.trace.pop()
          return { inputRequired: true }
        }
        if (input !== undefined) ctx.trace[ctx.trace.length - 1] = ctx.asked!
        delete ctx.asked
        const next = ways[ctx.trace.length - 1]
        return next === undefined ? done(ctx.trace.length) : goTo(next)
      }
      const wf = await openOrders({ start: says, charge: says, ship: says, tell: says })
      const expected = ['start', ...ways]
      const saved: WfState[] = []
      const checkpoint = (state: WfState) => void saved.push(structuredClone(state))
      let output = await wf.start('orders/order', fresh(), { checkpoint })
      while (!output.finished) {
        output = await wf.resume(structuredClone(output.state), {
          input: { ok: 1 } as unknown,
          checkpoint,
        })
      }
      expect(output.state.context.trace).toEqual(expected)
      expect(saved).toHaveLength(expected.length)
      const from = saved[pick % saved.length]!
      let again = await wf.resume(from as never)
      while (!again.finished) again = await wf.resume(again.state, { input: { ok: 1 } as unknown })
      expect(again.state.context.trace).toEqual(expected)
    }),
    { numRuns: scaled(60, 2000) },
  )
})
