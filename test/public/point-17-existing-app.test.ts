import {
  createWfRunner,
  HandleStateStrategy,
  MoostWf,
  outletHttp,
  Step,
  WfStateStoreMemory,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { createWfApp } from '@wooksjs/event-wf'
import { Controller, Moost } from 'moost'
import { Wooks } from 'wooks'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

@Controller('shop')
class Shop {
  @Workflow('order')
  @WorkflowSchema(['/plain/count', 'ask'])
  order() {}

  @Workflow('ask')
  @WorkflowSchema(['ask'])
  askOnly() {}

  @Step('ask')
  ask() {
    return outletHttp({ form: 'ask' })
  }
}

describe('an adapter on an existing workflow app', () => {
  it('runs steps of that app in workflows of its own', async () => {
    const existing = createWfApp({}, new Wooks())
    existing.step('plain/count', { handler: 'ctx.count++' })
    const app = new Moost()
    const wf = app.adapter(new MoostWf(existing))
    await app.registerControllers(Shop).init()
    const output = await wf.start('shop/order', { count: 1 })
    expect(output.state.context).toEqual({ count: 2 })
    expect(output.finished).toBe(false)
  })
})

describe('a start', () => {
  it('picks its strategy by hand', async () => {
    const { app, wf } = buildApp([AskOnly])
    await app.init()
    const open = () => new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const state = { strategies: { one: open(), other: open() }, default: 'one' } as const
    const runner = createWfRunner({ state }, wf)
    expect(await runner.start('only/ask')).toMatchObject({
      token: expect.stringMatching(/^one\./u),
    })
    expect(await runner.start('only/ask', { strategy: 'other' })).toMatchObject({
      token: expect.stringMatching(/^other\./u),
    })
    await expect(runner.start('only/ask', { strategy: 'none' })).rejects.toMatchObject({
      code: 'WF_CONFIG',
    })
  })
})

@Controller('only')
class AskOnly {
  @Workflow('ask')
  @WorkflowSchema(['form'])
  flow() {}

  @Step('form')
  form() {
    return outletHttp({ form: 'ask' })
  }
}
