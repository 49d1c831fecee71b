import {
  StepRetriableError,
  type TFlowOutput,
  type TWorkflowItem,
  type TWorkflowSchema,
  Workflow,
  createStep,
} from '@prostojs/wf'
import { useWfState } from '@wooksjs/event-wf'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WfEngine } from '../../../src/moost/engine/wf-engine'
import { scaled } from '../../support/scale'

/**
 * The oracle is the stock engine, never interrupted, on the schema as written. Conditions and steps
 * write a trace, so a condition that is asked twice or a step that is skipped shows up in it.
 */
interface Ctx {
  trace: string[]
  fuel: { left: number }
  n: { value: number }
  paused?: { at: string; hidden: number }
}

const STEP_IDS = ['s0', 's1', 's2', 's3', 's4']
const MAX_FUEL = 40

interface ConditionSpec {
  id: number
  factor: number
  modulus: number
  limit: number
  asText: boolean
}

const condition = fc.record({
  id: fc.nat(99),
  factor: fc.integer({ min: 1, max: 7 }),
  modulus: fc.integer({ min: 2, max: 5 }),
  limit: fc.integer({ min: 1, max: 4 }),
  asText: fc.boolean(),
})

function toCondition({ id, factor, modulus, limit, asText }: ConditionSpec) {
  if (asText) {
    return `(trace.push("c${id}"), fuel.left-- > 0) && (n.value * ${factor}) % ${modulus} < ${limit} // why`
  }
  return (ctx: Ctx) => {
    ctx.trace.push(`c${id}`)
    return ctx.fuel.left-- > 0 && (ctx.n.value * factor) % modulus < limit
  }
}

const stepId = fc.constantFrom(...STEP_IDS)
const itemInput = fc.option(fc.record({ fromSchema: fc.nat(9) }), { nil: undefined })

const { schema } = fc.letrec<{ schema: TWorkflowSchema<Ctx>; item: TWorkflowItem<Ctx> }>(tie => ({
  schema: fc.array(tie('item'), { minLength: 1, maxLength: 5, size: 'max' }),
  item: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    { weight: 5, arbitrary: stepId },
    { weight: 2, arbitrary: fc.record({ id: stepId, input: itemInput }) },
    {
      weight: 3,
      arbitrary: fc
        .record({ id: stepId, when: condition })
        .map(({ id, when }) => ({ id, condition: toCondition(when) })),
    },
    { weight: 2, arbitrary: condition.map(c => ({ break: toCondition(c) })) },
    { weight: 2, arbitrary: condition.map(c => ({ continue: toCondition(c) })) },
    { weight: 2, arbitrary: fc.record({ steps: tie('schema') }) },
    {
      weight: 2,
      arbitrary: fc
        .record({ steps: tie('schema'), when: condition })
        .map(({ steps, when }) => ({ steps, condition: toCondition(when) })),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({ steps: tie('schema'), loop: condition, when: fc.option(condition) })
        .map(({ steps, loop, when }) => ({
          steps,
          while: toCondition(loop),
          ...(when && { condition: toCondition(when) }),
        })),
    },
  ),
}))

const freshContext = (): Ctx => ({ trace: [], fuel: { left: MAX_FUEL }, n: { value: 1 } })
const throughJson = <V>(value: V): V => JSON.parse(JSON.stringify(value)) as V

function work(ctx: Ctx, id: string, input: unknown): void {
  ctx.trace.push(input === undefined ? id : `${id}:${JSON.stringify(input)}`)
  ctx.n.value = (ctx.n.value * 31 + id.charCodeAt(1)) % 1009
}

async function uninterruptedTrace(source: TWorkflowSchema<Ctx>): Promise<string[]> {
  const steps = STEP_IDS.map(id =>
    createStep<Ctx>(id, { handler: (ctx, input) => work(ctx, id, input) }),
  )
  const stock = new Workflow<Ctx, unknown>(steps)
  stock.register('flow', source)
  const output = await stock.start('flow', freshContext())
  expect(output.finished).toBe(true)
  return output.state.context.trace
}

type PauseKind = 'none' | 'returned' | 'thrown' | 'returned error'

/** Pauses at the entries that `plan` names; hides the value that conditions look at while paused. */
function pausingEngine(source: TWorkflowSchema<Ctx>, plan: PauseKind[]) {
  let entries = 0
  const engine = new WfEngine<Ctx>()
  for (const id of STEP_IDS) {
    engine.step(id, {
      handler: (ctx: Ctx, input: unknown) => {
        if (ctx.paused) {
          expect(ctx.paused.at, 'the step that paused is the one that goes on').toBe(id)
          expect(input, 'and gets the input').toMatchObject({ answer: id })
          ctx.n.value = ctx.paused.hidden
          delete ctx.paused
          const { answer: _answer, ...rest } = input as Record<string, unknown>
          return work(ctx, id, Object.keys(rest).length > 0 ? rest : undefined)
        }
        expect(input ?? {}, 'input is for the resumed step alone').not.toHaveProperty('answer')
        expect(useWfState().input(), 'composables see what the handler sees').toEqual(input)
        const kind = plan[entries++] ?? 'none'
        if (kind === 'none') return work(ctx, id, input)
        ctx.paused = { at: id, hidden: ctx.n.value }
        ctx.n.value = entries
        if (kind === 'returned') return { inputRequired: { step: id } }
        const error = new StepRetriableError(new Error('again'), undefined, { step: id })
        if (kind === 'thrown') throw error
        return error
      },
    })
  }
  engine.flow('flow', source)
  return engine
}

const pausePlan = fc.array(
  fc.constantFrom<PauseKind>('none', 'returned', 'thrown', 'returned error'),
  { minLength: 12, maxLength: 40 },
)

it('gives the trace of an uninterrupted run, wherever a run pauses', async () => {
  let pauses = 0
  await fc.assert(
    fc.asyncProperty(schema, pausePlan, async (source, plan) => {
      const expected = await uninterruptedTrace(source)
      const engine = pausingEngine(source, plan)
      let output: TFlowOutput<Ctx, unknown, unknown> = await engine.start('flow', freshContext())
      while (!output.finished) {
        pauses++
        const { stepId: at } = output
        expect(engine.describe('flow')?.stepIdAt(output.state.indexes)).toBe(at)
        output = await engine.resume<unknown>(throughJson(output.state), { input: { answer: at } })
      }
      expect(output.state.context.trace).toEqual(expected)
    }),
    { numRuns: scaled(400, 5000) },
  )
  expect(pauses).toBeGreaterThan(scaled(400, 5000))
})

it('gives the same trace when it goes on from any of its checkpoints', async () => {
  let recoveries = 0
  await fc.assert(
    fc.asyncProperty(schema, async source => {
      const expected = await uninterruptedTrace(source)
      const engine = pausingEngine(source, [])
      const checkpoints: string[] = []
      await engine.start('flow', freshContext(), {
        checkpoint: state => void checkpoints.push(JSON.stringify(state)),
      })
      for (const checkpoint of checkpoints) {
        recoveries++
        const output = await engine.resume(JSON.parse(checkpoint))
        expect(output.finished).toBe(true)
        expect(output.state.context.trace).toEqual(expected)
      }
    }),
    { numRuns: scaled(200, 2500) },
  )
  expect(recoveries).toBeGreaterThan(scaled(200, 2500))
})
