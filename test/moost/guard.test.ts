import { Step, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { useWfState } from '@wooksjs/event-wf'
import { Controller, defineBeforeInterceptor, Intercept } from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

interface Context {
  asked: string[]
}

/** Says that it was asked, and answers what the context says. */
const guard = (name: string) =>
  defineBeforeInterceptor(reply => {
    const ctx = useWfState().ctx<Context & Record<string, unknown>>()
    ctx.asked.push(name)
    seen.push([name, useWfState().stepId()])
    const answer = ctx[name]
    if (answer === 'throws') throw new Error(`${name} throws`)
    if (answer === 'error') reply(new Error(`${name} denies`))
    if (answer === 'data') reply({ instead: 'of the step' })
  })

const seen: unknown[] = []
const ran: string[] = []

@Controller('a')
class Flows {
  @Workflow('flow')
  @WorkflowSchema(['one', 'two'])
  @Intercept(guard('flow'))
  flow() {
    ran.push('flow')
  }

  @Step('one')
  one() {
    ran.push('one')
  }

  @Step('two')
  @Intercept(guard('two'))
  two() {
    ran.push('two')
  }
}

async function ask(context: Record<string, unknown> = {}) {
  seen.length = 0
  ran.length = 0
  const { app, wf } = buildApp([Flows])
  await app.init()
  const state = { schemaId: 'a/flow', indexes: [1], context: { asked: [], ...context } }
  await wf.guard(state)
  return state
}

describe('what stands before a step', () => {
  it('is asked for the workflow and for the step, and neither of them runs', async () => {
    await ask()
    expect(seen).toEqual([
      ['flow', null],
      ['two', 'a/two'],
    ])
    expect(ran).toEqual([])
  })

  it('cannot change the flow', async () => {
    expect((await ask()).context.asked).toEqual([])
  })

  it.each(['flow', 'two'])('refuses by throwing, by an error, and by an answer: %s', async name => {
    await expect(ask({ [name]: 'throws' })).rejects.toThrow(`${name} throws`)
    await expect(ask({ [name]: 'error' })).rejects.toThrow(`${name} denies`)
    await expect(ask({ [name]: 'data' })).rejects.toMatchObject({ code: 'WF_NOT_ALLOWED' })
  })
})
