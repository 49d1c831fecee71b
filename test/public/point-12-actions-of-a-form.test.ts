import {
  getFormActions,
  serializeFormSchema,
  Step,
  useAtscriptWf,
  type WfForm,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { listFormActions } from '@atscript/moost-wf/forms'
import { describeForm, type WfFormSchema } from '@atscript/moost-wf/client'
import { defineAnnotatedType } from '@atscript/typescript/utils'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { ProfileForm } from '../fixtures/schemas/profile-form.as'
import { openFormApp } from '../support/form-app'

const text = () => defineAnnotatedType().designType('string').tags('string')
const button = () => defineAnnotatedType().designType('phantom').tags('action', 'ui')

/** What the public compiler makes of its annotations: `@wf.action.withData` is the bare id. */
const form = defineAnnotatedType('object')
  .prop('code', text().annotate('meta.label', 'Code').$type)
  .prop(
    'draft',
    button().annotate('wf.action.withData', 'draft').annotate('meta.label', 'Keep it').$type,
  )
  .prop(
    'resend',
    button().annotate('ui.form.action', 'resend').annotate('meta.label', 'Send again').$type,
  )
  .prop(
    'help',
    button()
      .annotate('ui.form.action', { id: 'help', label: 'Help me' })
      .annotate('meta.label', 'Help').$type,
  )
  .prop('skip', button().annotate('ui.form.action', { id: 'skipThis' }).$type)
  .annotate('wf.action.withData', 'saveAll')
  .annotate('meta.label', 'Your code').$type
form.id = 'PublicForm'

describe('point 12, metadata of actions as the public compiler writes them', () => {
  it('are the actions of the form, with the labels of their fields', () => {
    expect(listFormActions(form)).toEqual([
      { id: 'saveAll', label: undefined, withData: true },
      { id: 'draft', label: 'Keep it', withData: true },
      { id: 'resend', label: 'Send again', withData: false },
      { id: 'help', label: 'Help me', withData: false },
      { id: 'skipThis', label: undefined, withData: false },
    ])
  })

  it('are the buttons that a page shows', () => {
    const view = describeForm(serializeFormSchema(form) as WfFormSchema)
    expect(view.actions).toEqual([
      { id: 'saveAll', label: 'Save all', withData: true },
      { id: 'draft', label: 'Keep it', withData: true },
      { id: 'resend', label: 'Send again', withData: false },
      { id: 'help', label: 'Help me', withData: false },
      { id: 'skipThis', label: 'Skip this', withData: false },
    ])
    expect(view.fields.map(({ name }) => name)).toEqual(['code'])
  })

  it('can be sent', async () => {
    const seen: unknown[] = []

    @Controller('codes')
    class Codes {
      @Workflow('check')
      @WorkflowSchema(['code'])
      check() {}

      @Step('code')
      code() {
        const { resolveInput, resolveAction } = useAtscriptWf(form as WfForm)
        seen.push([resolveAction(), resolveInput({ pass: true })])
      }
    }
    const app = await openFormApp(Codes)
    for (const [action, input] of [['draft', { code: '1' }], ['resend']] as const) {
      const wfs = await app.start('codes/check')
      seen.length = 0
      expect((await app.send({ wfs, action, input })).body).toEqual({ finished: true })
      expect(seen).toEqual([[action, input]])
    }
  })
})

describe('getFormActions, in the public shape', () => {
  it('gives the ids of both kinds', () => {
    expect(getFormActions(form)).toEqual({
      actions: ['resend', 'help', 'skipThis'],
      actionsWithData: ['saveAll', 'draft'],
    })
    const { actions, actionsWithData } = getFormActions(ProfileForm)
    expect(actions.includes('help') && actionsWithData.includes('draft')).toBe(true)
  })
})
