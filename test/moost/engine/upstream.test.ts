import { createStep, type TWorkflowSchema, Workflow } from '@prostojs/wf'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WfEngine } from '../../../src/moost/engine/wf-engine'

/** The cases of docs/upstream.md, on the stock engine and on ours. */
interface Ctx {
  trace: string[]
  open: boolean
  rounds: number
}

type Handler = (ctx: Ctx, input: unknown) => unknown

const record =
  (id: string): Handler =>
  (ctx, input) => {
    ctx.trace.push(input === undefined ? id : `${id}(${String(input)})`)
  }

/** Asks for input, closes the door behind which it stands, and notes what it gets. */
const ask: Handler = (ctx, input) => {
  if (input === undefined) {
    ctx.open = false
    return { inputRequired: true }
  }
  ctx.trace.push(`ask(${String(input)})`)
}

/** A wrong code is asked for again, up to three times. */
const code: Handler = (ctx, input) => {
  if (input === undefined) return { inputRequired: true }
  ctx.trace.push(`code(${String(input)})`)
  ctx.rounds++
}

const handlers: Record<string, Handler> = { ask, code, a: record('a'), b: record('b') }

const fresh = (): Ctx => ({ trace: [], open: true, rounds: 0 })

interface Runner {
  start(id: string, ctx: Ctx, input?: unknown): Promise<{ state: never; finished: boolean }>
  resume(state: never, input: unknown): Promise<{ state: { context: Ctx }; finished: boolean }>
}

function stock(schema: TWorkflowSchema<Ctx>): Runner {
  const steps = Object.entries(handlers).map(([id, handler]) =>
    createStep<Ctx>(id, { handler: handler as never }),
  )
  const flow = new Workflow<Ctx, unknown>(steps)
  flow.register('flow', schema)
  return flow as unknown as Runner
}

function mended(schema: TWorkflowSchema<Ctx>): Runner {
  const engine = new WfEngine<Ctx>()
  for (const [id, handler] of Object.entries(handlers)) {
    engine.step(id, { handler: handler as never })
  }
  engine.flow('flow', schema)
  return {
    start: (id, ctx, input) => engine.start(id, ctx, { input }) as never,
    resume: (state, input) => engine.resume(state, { input }) as never,
  }
}

async function traceOf(runner: Runner, input?: unknown): Promise<string> {
  const first = await runner.start('flow', fresh(), input)
  if (first.finished) return (first.state as { context: Ctx }).context.trace.join(' ')
  const state = JSON.parse(JSON.stringify(first.state)) as never
  return (await runner.resume(state, 'x')).state.context.trace.join(' ')
}

const cases: [title: string, schema: TWorkflowSchema<Ctx>, wrong: string, right: string][] = [
  [
    'a paused step whose condition has become false',
    [{ id: 'ask', condition: 'open' }, 'b'],
    'b(x)',
    'ask(x) b',
  ],
  [
    'a pause in a loop whose condition has become false',
    [{ while: 'open', steps: ['a', 'ask', 'b'] }, { steps: ['a', 'b'] }],
    'a b',
    'a ask(x) b a b',
  ],
  [
    'an input inside a loop',
    [{ while: 'rounds < 3', steps: ['code'] }, 'a'],
    'code(x) code(x) code(x) a',
    'code(x)',
  ],
]

describe('on resume', () => {
  it.each(cases)('%s: the stock engine gives %3$s', async (_title, schema, wrong, right) => {
    expect(await traceOf(stock(schema))).toBe(wrong)
    expect(await traceOf(mended(schema))).toBe(right)
  })

  it('a position that does not exist finishes without a word', async () => {
    const state = { schemaId: 'flow', indexes: [99], context: fresh() } as never
    expect(await stock(['ask']).resume(state, 1)).toMatchObject({ finished: true })
    await expect(mended(['ask']).resume(state, 1)).rejects.toMatchObject({
      code: 'WF_DEFINITION_CHANGED',
    })
  })
})

describe('on start', () => {
  it.each<[string, TWorkflowSchema<Ctx>]>([
    ['a control item', [{ break: 'false' }, 'a']],
    ['an empty group', [{ steps: [] }, 'a']],
  ])('the input is lost behind %s', async (_title, schema) => {
    expect(await traceOf(stock(schema), 7)).toBe('a')
    expect(await traceOf(mended(schema), 7)).toBe('a(7)')
  })
})

describe('where no code may be made of text any more, as in a Worker behind its start,', () => {
  afterEach(() => void vi.unstubAllGlobals())

  const schema: TWorkflowSchema<Ctx> = [
    { id: 'a', condition: 'open === true' },
    {
      while: 'trace.length < 3',
      steps: [{ continue: 'trace.length > 8' }, 'b', { break: 'trace.length > 7' }],
    },
    { condition: '!open', steps: ['a'] },
  ]

  const refusing = () => {
    const construct = () => {
      throw new EvalError('Code generation from strings disallowed for this context')
    }
    vi.stubGlobal('Function', new Proxy(Function, { construct, apply: construct }))
  }

  it('the stock engine fails at a condition, ours has compiled it', async () => {
    const [theirs, ours] = [stock(schema), mended(schema)]
    refusing()
    expect(() => new Function('return 1')).toThrow(EvalError)
    await expect(traceOf(theirs)).rejects.toThrow('Code generation')
    expect(await traceOf(ours)).toBe('a b b')
  })

  it('a text that would end the condition before its end is refused at the start', () => {
    const engine = new WfEngine<Ctx>()
    engine.step('a', { handler: handlers.a as never })
    const register = () => engine.flow('flow', [{ id: 'a', condition: 'open) || (open' }])
    expect(register).toThrow(
      expect.objectContaining({
        code: 'WF_CONFIG',
        message: 'A condition of the workflow "flow" is no expression.',
      }),
    )
  })
})
