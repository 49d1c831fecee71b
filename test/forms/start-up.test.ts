import {
  Step,
  useAtscriptWf,
  WfAction,
  type WfForm,
  WfInput,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { typesOf } from '../support/atscript'
import { openFormApp } from '../support/form-app'
import { buildApp } from '../support/moost-app'

const formOf = async (fields: string) =>
  (await typesOf(`export interface Form {\n${fields}\n}`)).Form as WfForm

const pattern = (source: string) => `@expect.pattern '${source}'`

/** A form that could not be judged in time, and what the author is told. */
const UNUSABLE: readonly [string, string, RegExp][] = [
  [
    'looks ahead',
    `${pattern('^(?=.*[0-9]).+$')}\ncode: string`,
    /^Odd\.step: Form "Form", field "code": its pattern cannot be used, because it looks ahead or behind\. Say the same without; a text may have several @expect\.pattern, which must all match\.$/u,
  ],
  ['looks behind', `${pattern('(?<!a)b')}\ncode?: string`, /field "code".*looks ahead or behind/u],
  ['refers back', `${pattern('(a)\\1')}\ncode: string`, /field "code".*refers back/u],
  ['counts too far', `${pattern('a{100000}')}\ncode: string`, /field "code".*@expect\.maxLength/u],
  [
    'looks ahead deep inside',
    `list: { inner: { ${pattern('(?=a)')}\n code: string } | number }[]`,
    /field "list\.inner\.code"/u,
  ],
  ['looks ahead in its keys', 'record: { [/^(?=x)/]: string }', /field "record": /u],
  [
    'looks ahead below such keys',
    `record: { ${pattern('(?=a)')}\n [*]: string }`,
    /field "record\.\*"/u,
  ],
]

describe('a form with a pattern that', () => {
  it.each(UNUSABLE)('%s stops the start of the application', async (_what, fields, message) => {
    const form = await formOf(fields)
    for (const decorator of [WfInput({ form }), WfAction(form)]) {
      class Odd {
        @Step('step')
        step(@decorator _parameter: unknown) {}
      }
      Controller()(Odd)
      await expect(buildApp([Odd]).app.init()).rejects.toMatchObject({
        code: 'WF_CONFIG',
        message: expect.stringMatching(message),
      })
    }
  })

  it('looks ahead is refused when it is first seen, where no decorator names it', async () => {
    const Form = await formOf(`${pattern('(?=a)')}\ncode: string`)

    @Controller()
    class Late {
      @Workflow('late')
      @WorkflowSchema(['step'])
      flow() {}

      @Step('step')
      step() {
        useAtscriptWf(Form).resolveInput()
      }
    }
    const app = await openFormApp(Late)
    const { status, body } = await app.send({ wfid: 'late', input: { code: 'a' } })
    expect([status, body.error.code]).toEqual([500, 'WF_INTERNAL'])
    expect(app.log.some(({ text }) => text.includes('Form "Form", field "code"'))).toBe(true)
  })

  it('is only shown is of no interest: nobody fills it in', async () => {
    const Form = await formOf(`@ui.form.disabled\n${pattern('(?=a)')}\ncode: string`)
    class Fine {
      @Step('step')
      step(@WfInput({ form: Form }) _input: unknown) {}
    }
    Controller()(Fine)
    await expect(buildApp([Fine]).app.init()).resolves.toBeUndefined()
  })
})

it('a parameter whose type is no form stops the start, with a sentence', async () => {
  class Odd {
    @Step('step')
    step(@WfInput() _input: { password: string }) {}
  }
  Controller()(Odd)
  await expect(buildApp([Odd]).app.init()).rejects.toMatchObject({
    code: 'WF_CONFIG',
    message: expect.stringMatching(/^Odd\.step: @WfInput\(\) takes a form.*without `type`/u),
  })
})
