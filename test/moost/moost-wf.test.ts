import {
  Step,
  StepRetriableError,
  StepTTL,
  useWfState,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { eventTypeKey } from '@wooksjs/event-core'
import {
  Controller,
  current,
  defineBeforeInterceptor,
  defineErrorInterceptor,
  Injectable,
  Intercept,
  Param,
  TInterceptorPriority,
} from 'moost'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

type Controllers = Parameters<typeof buildApp>[0]

async function adapterFor(controllers: Controllers, options?: Parameters<typeof buildApp>[1]) {
  const { app, wf } = buildApp(controllers, options)
  await app.init()
  return wf
}

interface Ctx {
  trace: string[]
  left?: number
}

@Controller('flows')
class Flows {
  @Workflow('mixed')
  @WorkflowSchema<Ctx>([
    'note',
    { id: 'note', condition: ctx => ctx.trace.length === 1 },
    { id: 'note', condition: 'trace.length === 99' },
    { steps: ['/flows/note', { break: 'true' }, 'note'] },
    { while: 'left > 0', steps: ['count', { continue: ctx => ctx.left === 2 }, 'note'] },
  ])
  mixed() {}

  @Workflow()
  @WorkflowSchema<Ctx>(['ask', 'note'])
  asking() {}

  @Workflow('static')
  @WorkflowSchema<Ctx>([{ id: 'echo', input: { a: 1, b: 1 } }, 'echo', 'tag/blue'])
  withInput() {}

  @Step('note')
  note(@WorkflowParam('context') ctx: Ctx) {
    ctx.trace.push('note')
  }

  @Step()
  count(@WorkflowParam('context') ctx: Ctx) {
    ctx.trace.push('count')
    ctx.left = (ctx.left ?? 0) - 1
  }

  @Step('ask')
  ask(
    @WorkflowParam('context') ctx: Ctx,
    @WorkflowParam('input') input: { name?: string } | undefined,
    @WorkflowParam('stepId') stepId: string,
    @WorkflowParam('schemaId') schemaId: string,
    @WorkflowParam('indexes') indexes: number[],
    @WorkflowParam('resume') resume: boolean,
    @WorkflowParam('state') state: ReturnType<typeof useWfState>,
  ) {
    ctx.trace.push(JSON.stringify({ input, stepId, schemaId, indexes, resume }))
    expect(state.ctx()).toBe(ctx)
    if (!input) return { inputRequired: { field: 'name' } }
    if (input.name === '') {
      throw new StepRetriableError(new Error('empty'), [{ path: 'name' }], { field: 'name' })
    }
  }

  @Step('echo')
  echo(@WorkflowParam('context') ctx: Ctx, @WorkflowParam('input') input: unknown) {
    ctx.trace.push(JSON.stringify(input ?? null))
  }

  @Step('tag/:color')
  tag(@WorkflowParam('context') ctx: Ctx, @Param('color') color: string) {
    ctx.trace.push(color)
  }
}

describe('MoostWf', () => {
  it('runs conditions, groups, loops, break and continue', async () => {
    const wf = await adapterFor([Flows])
    const output = await wf.start('flows/mixed', { trace: [], left: 3 })
    expect(output.finished).toBe(true)
    expect(output.state.context.trace.join(' ')).toBe('note note note count count note count note')
  })

  it('injects every workflow parameter, on start and on resume', async () => {
    const wf = await adapterFor([Flows])
    const first = await wf.start('/flows/asking', { trace: [] })
    expect(first).toMatchObject({ finished: false, inputRequired: { field: 'name' } })
    expect(first.state).toMatchObject({ schemaId: 'flows/asking', indexes: [0] })

    const second = await wf.resume(first.state, { input: { name: 'Ada' } })
    const [asked, answered] = second.state.context.trace.map((t: string) =>
      t.startsWith('{') ? JSON.parse(t) : t,
    )
    const common = { stepId: '/flows/ask', schemaId: 'flows/asking', indexes: [0] }
    expect(asked).toEqual({ ...common, resume: false })
    expect(answered).toEqual({ ...common, resume: true, input: { name: 'Ada' } })
  })

  it('pauses on a thrown StepRetriableError and goes on with retry()', async () => {
    const wf = await adapterFor([Flows])
    const first = await wf.start('flows/asking', { trace: [] }, { input: { name: '' } })
    expect(first).toMatchObject({ errorList: [{ path: 'name' }], error: { message: 'empty' } })
    expect(first.resume).toBeUndefined()
    const second = await first.retry?.({ name: 'Ada' })
    expect(second?.finished).toBe(true)
  })

  it('goes on with the resume() of an output', async () => {
    const wf = await adapterFor([Flows])
    const first = await wf.start('flows/asking', { trace: [] })
    expect(await first.resume?.({ name: 'Ada' })).toMatchObject({ finished: true })
  })

  it('merges the input over that of the schema item, once, and fills route params of a step', async () => {
    const wf = await adapterFor([Flows])
    const output = await wf.start('flows/static', { trace: [] }, { input: { b: 2 } })
    expect(output.state.context.trace).toEqual(['{"a":1,"b":2}', 'null', 'blue'])
  })

  it('leaves the state that it was handed as it was', async () => {
    const wf = await adapterFor([Flows])
    const { state } = await wf.start('flows/asking', { trace: [] })
    const before = JSON.stringify(state)
    await wf.resume(state, { input: { name: 'Ada' } })
    expect(JSON.stringify(state)).toBe(before)
  })

  it('is watched by spies until they are detached', async () => {
    const wf = await adapterFor([Flows])
    const seen: string[] = []
    const detach = wf.attachSpy((event, detail) => seen.push(`${event} ${String(detail)}`))
    await wf.start('flows/asking', { trace: [] })
    expect(seen).toContain('step flows/ask')
    detach()
    const count = seen.length
    await wf.start('flows/asking', { trace: [] })
    expect(seen).toHaveLength(count)
  })

  it('awaits a checkpoint after each step and hands it the position to go on from', async () => {
    const wf = await adapterFor([Flows])
    const saved: unknown[] = []
    const output = await wf.start(
      'flows/static',
      { trace: [] },
      {
        checkpoint: async state => {
          const copy = JSON.parse(JSON.stringify(state))
          await new Promise(setImmediate)
          saved.push([copy.indexes, copy.context.trace.length])
        },
      },
    )
    expect(output.finished).toBe(true)
    expect(saved).toEqual([
      [[1], 1],
      [[2], 2],
      [[3], 3],
    ])
  })
})

describe('a position that the workflow does not have', () => {
  const hostile: unknown[] = [[], [99], [-1], [0.5], [0, 0], ['0'], 'x', null, undefined, [NaN], {}]
  it.each(hostile)('is refused: %j', async indexes => {
    const wf = await adapterFor([Flows])
    const state = { schemaId: 'flows/asking', indexes: indexes as number[], context: { trace: [] } }
    await expect(wf.resume(state)).rejects.toMatchObject({ code: 'WF_DEFINITION_CHANGED' })
  })

  it.each(['nope', '__proto__', 'constructor', '', '../flows/asking', 'FLOWS/asking'])(
    'and so is the unknown workflow %j',
    async id => {
      const wf = await adapterFor([Flows])
      await expect(wf.start(id, {})).rejects.toMatchObject({ code: 'WF_UNKNOWN' })
      expect(wf.describe(id)).toBeUndefined()
    },
  )
})

describe('the description of a workflow', () => {
  it('names the step at each position', async () => {
    const wf = await adapterFor([Flows])
    const flow = wf.describe('flows/asking')
    expect(flow?.steps).toEqual([
      { stepId: 'flows/ask', indexes: [0] },
      { stepId: 'flows/note', indexes: [1] },
    ])
    expect(flow?.stepIdAt([1])).toBe('flows/note')
    expect(flow?.stepIdAt([2])).toBeUndefined()
    expect(flow?.hasPosition([2])).toBe(true)
    expect(flow?.hasPosition([3])).toBe(false)
  })
})

const ASK = { inputRequired: true }
const AGAIN = new StepRetriableError(new Error('again'), undefined, true)

describe('@StepTTL', () => {
  class Expiring {
    @Workflow()
    @WorkflowSchema(['returns'])
    returning() {}

    @Workflow()
    @WorkflowSchema(['throws'])
    throwing() {}

    @Workflow()
    @WorkflowSchema(['decides'])
    deciding() {}

    @Step()
    @StepTTL(500)
    returns() {
      return { inputRequired: true }
    }

    @Step()
    @StepTTL(500)
    throws() {
      throw new StepRetriableError(new Error('again'), undefined, true)
    }

    @Workflow()
    @WorkflowSchema(['repeats'])
    repeating() {}

    @Step()
    @StepTTL(500)
    repeats(@WorkflowParam('input') input?: string) {
      if (input === 'throw') throw AGAIN
      return ASK
    }

    @Step()
    @StepTTL(500)
    decides() {
      return { inputRequired: true, expires: 7 }
    }
  }
  Controller()(Expiring)

  it.each([
    ['returning', 1500],
    ['throwing', 1500],
    ['deciding', 7],
  ])('a pause that is %s expires at %i', async (id, expires) => {
    const wf = await adapterFor([Expiring], { wf: { clock: { now: () => 1000 } } })
    expect(await wf.start(id, {})).toMatchObject({ finished: false, expires })
  })

  it.each([undefined, 'throw'])(
    'is counted anew for a pause that is a constant (%s)',
    async input => {
      const clock = new FakeClock()
      const wf = await adapterFor([Expiring], { wf: { clock } })
      for (let round = 0; round < 3; round++) {
        expect(await wf.start('repeating', {}, { input })).toMatchObject({
          finished: false,
          expires: clock.now() + 500,
        })
        clock.advance(1000)
      }
    },
  )

  it('takes nothing away from a pause that computes what it asks for', async () => {
    class Ask {
      get inputRequired() {
        return 'computed'
      }
    }
    class Computing {
      @Workflow()
      @WorkflowSchema(['asks'])
      flow() {}

      @Step()
      @StepTTL(500)
      asks() {
        return new Ask()
      }
    }
    Controller()(Computing)
    const wf = await adapterFor([Computing], { wf: { clock: { now: () => 1000 } } })
    const output = await wf.start('flow', {})
    expect(output).toMatchObject({ finished: false, inputRequired: 'computed', expires: 1500 })
  })

  it.each([0, -1, NaN, Infinity, '5' as never])('refuses %s', ms => {
    expect(() => StepTTL(ms)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })
})

describe('injection', () => {
  @Injectable()
  class Greeter {
    greet = (name: string) => `Hello, ${name}`
  }

  let instances = 0
  @Injectable('FOR_EVENT')
  @Controller('injected')
  class PerRun {
    readonly id = ++instances

    constructor(readonly greeter: Greeter) {}

    @Workflow('flow')
    @WorkflowSchema(['one', 'two'])
    flow() {}

    @Step('one')
    one(@WorkflowParam('context') ctx: { seen: unknown[] }) {
      ctx.seen.push(this.greeter.greet('Ada'), this.id)
    }

    @Step('two')
    two(@WorkflowParam('context') ctx: { seen: unknown[] }) {
      ctx.seen.push(this.id)
    }
  }

  it('fills constructors, and makes a FOR_EVENT controller once per run', async () => {
    const wf = await adapterFor([PerRun])
    instances = 0
    const first = await wf.start('injected/flow', { seen: [] })
    const second = await wf.start('injected/flow', { seen: [] })
    expect(first.state.context.seen).toEqual(['Hello, Ada', 1, 1])
    expect(second.state.context.seen).toEqual(['Hello, Ada', 2, 2])
  })
})

describe('interceptors', () => {
  const deny = defineBeforeInterceptor(
    reply => reply(new HttpError(403, 'No')),
    TInterceptorPriority.GUARD,
  )

  class Guarded {
    @Workflow()
    @WorkflowSchema(['secret', 'after'])
    flow() {}

    @Intercept(deny)
    @Workflow()
    @WorkflowSchema(['after'])
    guardedFlow() {}

    @Intercept(deny)
    @Step()
    secret(@WorkflowParam('context') ctx: Ctx) {
      ctx.trace.push('secret')
    }

    @Step()
    after(@WorkflowParam('context') ctx: Ctx) {
      ctx.trace.push('after')
    }
  }
  Controller()(Guarded)

  it.each(['flow', 'guardedFlow'])('a guard that denies stops the run of %s', async id => {
    const wf = await adapterFor([Guarded])
    const ctx: Ctx = { trace: [] }
    await expect(wf.start(id, ctx)).rejects.toMatchObject({ message: 'No' })
    expect(ctx.trace).toEqual([])
  })

  it('may answer an error with a pause', async () => {
    const ask = defineErrorInterceptor((_error, reply) => reply({ inputRequired: 'again' }))
    class Failing {
      @Workflow()
      @WorkflowSchema(['fails'])
      failing() {}

      @Intercept(ask)
      @Step()
      fails() {
        throw new Error('no')
      }
    }
    Controller()(Failing)
    const wf = await adapterFor([Failing])
    expect(await wf.start('failing', {})).toMatchObject({ finished: false, inputRequired: 'again' })
  })

  it('tell a step by its event type', async () => {
    const types: string[] = []
    const spy = defineBeforeInterceptor(() => void types.push(current().get(eventTypeKey)))
    const wf = await adapterFor([Flows], { interceptors: [spy] })
    await wf.start('flows/asking', { trace: [] })
    expect(types).toEqual(['WF', 'WF'])
  })
})

describe('a loop', () => {
  class Loops {
    @Workflow()
    @WorkflowSchema([{ while: 'true', steps: ['nothing'] }])
    forEver() {}

    @Workflow()
    @WorkflowSchema([{ while: () => true, steps: [] }])
    forEverEmpty() {}

    @Workflow()
    @WorkflowSchema<{ rounds: number }>([{ while: 'rounds-- > 0', steps: [] }, 'nothing'])
    long() {}

    @Step()
    nothing() {}
  }
  Controller()(Loops)

  it.each(['forEver', 'forEverEmpty'])('that goes round for ever (%s) is ended', async id => {
    const wf = await adapterFor([Loops])
    await expect(wf.start(id, {})).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: expect.stringContaining(`"${id}" went round`),
    })
  })

  it('lets others have their turn', async () => {
    const wf = await adapterFor([Loops])
    let turns = 0
    const count = setInterval(() => turns++, 0)
    await wf.start('forEver', {}).catch(() => undefined)
    clearInterval(count)
    expect(turns).toBeGreaterThan(5)
  })
})
