import { Controller, createLogger, Moost } from 'moost'
import {
  finishWf,
  MoostWf,
  outletHttp,
  Step,
  useWfStep,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '../../dist/index.mjs'
import { stateOf } from '../measure/sized-state.mjs'

/** What runs begin with: 1 KB. */
export const newContext = () => structuredClone(stateOf(1024).context)
export const STEPS = 5

// Plain JavaScript has no decorators yet: they are applied by hand.
function decorate(type, method, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, method)
  for (const decorator of decorators) decorator(type.prototype, method, descriptor)
}

const givenContext = (type, method) => WorkflowParam('context')(type.prototype, method, 0)

/**
 * Four workflows: `bench/five` has five trivial steps, `bench/ask` asks once and ends with the answer,
 * `bench/hang` does not come behind its second step unless that was begun before, and `bench/retry`
 * fails once.
 */
export async function benchWorkflows() {
  class Bench {
    five() {}
    hang() {}
    retry() {}
    approve() {}

    step(context) {
      context.tries++
    }

    ask(context, input) {
      if (!input) return outletHttp({ form: 'approve' })
      context.approved = input.approved
      finishWf({ data: { approved: input.approved } })
    }

    stuck() {
      return useWfStep().attempt > 1 ? undefined : new Promise(() => {})
    }

    flaky() {
      if (useWfStep().attempt === 1) throw new Error('A mail server is down.')
    }
  }
  const five = Array.from({ length: STEPS }, () => 'step')
  decorate(Bench, 'five', WorkflowSchema(five), Workflow('five'))
  decorate(Bench, 'hang', WorkflowSchema(['step', 'stuck', 'step']), Workflow('hang'))
  decorate(Bench, 'retry', WorkflowSchema(['flaky', 'step']), Workflow('retry'))
  decorate(Bench, 'approve', WorkflowSchema(['ask']), Workflow('ask'))
  for (const name of ['step', 'ask', 'stuck', 'flaky']) decorate(Bench, name, Step(name))
  for (const name of ['step', 'ask']) givenContext(Bench, name)
  WorkflowParam('input')(Bench.prototype, 'ask', 1)
  Controller('bench')(Bench)

  const logger = createLogger({ level: 1 })
  const app = new Moost({ logger })
  const wf = app.adapter(new MoostWf({ logger }))
  await app.registerControllers(Bench).init()
  return { wf, logger }
}
