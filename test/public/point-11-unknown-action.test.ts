import {
  Step,
  useAtscriptWf,
  WfAction,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { createWfClient } from '@atscript/moost-wf/client'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { openFormApp } from '../support/form-app'
import { newerWire, olderWire, shownFormError } from './public-client'

async function openCodes() {
  const ran: string[] = []

  @Controller('codes')
  class Codes {
    @Workflow('check')
    @WorkflowSchema(['code'])
    check() {}

    @Workflow('composed')
    @WorkflowSchema(['composed-code'])
    composed() {}

    @Step('code')
    code(
      @WfAction(CodeForm) action: string | undefined,
      @WfInput({ pass: true, form: CodeForm }) input: CodeForm | undefined,
    ) {
      ran.push(action ?? input?.code ?? '')
    }

    @Step('composed-code')
    composedCode(@WorkflowParam('context') ctx: { tries?: number }) {
      ctx.tries = (ctx.tries ?? 0) + 1
      const { resolveInput } = useAtscriptWf(CodeForm)
      ran.push(resolveInput().code)
    }
  }
  return { ...(await openFormApp(Codes)), ran }
}

const PROBLEMS = [
  ['an action that the form does not have', { action: 'fly' }, 'This form has no such action.'],
  [
    'data with an action that takes none',
    { action: 'resend', data: { code: '1' } },
    'This action takes no data.',
  ],
] as const

describe.each(PROBLEMS)('point 11, %s', (_what, submit, sentence) => {
  it.each([
    ['older', olderWire],
    ['newer', newerWire],
  ])('pauses again with the form and a sentence, on the %s wire', async (_name, wire) => {
    for (const wfid of ['codes/check', 'codes/composed']) {
      const app = await openCodes()
      const wfs = await app.start(wfid)
      const again = await app.send(wire(wfs, submit))
      expect(again.status).toBe(200)
      expect(again.body.inputRequired.payload.id).toBe('CodeForm')
      expect(shownFormError(again)).toBe(sentence)
      expect(again.body.inputRequired.context.formMessage).toBe(sentence)
      expect(app.ran, 'the step has not run').toEqual([])
      // As after any other mistake: the token is a new one, and the old one is dead.
      expect((await app.send(wire(wfs, submit))).status).toBe(410)
      const end = await app.send(wire(again.body.wfs, { data: { code: '123456' } }))
      expect(end.body).toEqual({ finished: true })
      expect(app.ran).toEqual(['123456'])
    }
  })

  it('leaves a page of ours with its form, and what was typed', async () => {
    const app = await openCodes()
    const client = createWfClient({ path: `${app.url}/wf`, name: 'codes/check', storage: null })
    await client.start()
    client.update({ code: '123' })
    const { action, data } = { data: undefined, ...submit }
    const state = await client.action(action, data)
    expect(state.error).toBeUndefined()
    expect(state.form?.id).toBe('CodeForm')
    expect([state.formMessage, state.errors]).toEqual([sentence, {}])
    expect(state.data).toEqual(data ?? { code: '123' })
    expect((await client.submit({ code: '123456' })).finished).toBe(true)
  })
})
