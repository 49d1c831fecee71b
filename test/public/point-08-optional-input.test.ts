import {
  createWfRunner,
  HandleStateStrategy,
  Step,
  WfAction,
  WfInput,
  WfStateStoreMemory,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { isAnnotatedType } from '@atscript/typescript/utils'
import { Controller, definePipeFn, getMoostMate, TPipePriority } from 'moost'
import { expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { buildApp } from '../support/moost-app'

/** The public pipe for all parameters: what has an annotated type is validated, unless it is optional. */
const validatorPipe = definePipeFn((value, { targetMeta }) => {
  const { type, optional } = (targetMeta ?? {}) as { type?: unknown; optional?: boolean }
  if (isAnnotatedType(type) && !(optional && value === undefined)) type.validator().validate(value)
  return value
}, TPipePriority.VALIDATE)

const seen: unknown[] = []

@Controller('codes')
class Codes {
  @Workflow('check')
  @WorkflowSchema(['code'])
  check() {}

  @Step('code')
  code(@WfInput({ pass: true }) input: CodeForm, @WfAction(CodeForm) action?: string) {
    seen.push([action, input])
  }

  @Step('strict')
  strict(@WfInput() input: CodeForm) {
    seen.push(input)
  }
}

const metaOf = (method: keyof Codes) =>
  getMoostMate<object, object, { optional?: boolean }>().read(Codes.prototype, method)?.params[0]

it('point 8: @WfInput({ pass: true }) is @Optional(), and @WfInput() is not', () => {
  expect(metaOf('code')).toMatchObject({ optional: true })
  expect(metaOf('strict')?.optional).toBeUndefined()
})

it('point 8: an action without data gets past a validator of all parameters', async () => {
  const { app, wf } = buildApp([Codes])
  app.applyGlobalPipes(validatorPipe)
  await app.init()
  const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
  const runner = createWfRunner({ state }, wf)
  const first = await runner.start('codes/check')
  if (first.kind !== 'paused') throw new Error(`It is ${first.kind}.`)
  expect(await runner.resume(first.token, { action: 'resend' })).toMatchObject({ kind: 'finished' })
  expect(seen).toEqual([['resend', undefined]])
})
