import {
  createWfRunner,
  HandleStateStrategy,
  outletHttp,
  Step,
  useAtscriptWf,
  useWfAction,
  WfAction,
  WfInput,
  WfLedgerMemory,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { ActionForm, NestedForm } from '../fixtures/schemas/wire-forms.as'
import { openFormApp } from '../support/form-app'
import { newerWire, olderWire, shownErrors, shownFailure, shownFormError } from './public-client'

interface Seen {
  readonly step: string
  readonly input: unknown
  readonly action: string | undefined
}

const RIGHT = { email: 'ada@example.com', password: 'right' }
const WIRES = [
  ['older', olderWire],
  ['newer', newerWire],
] as const

async function openWires() {
  const seen: Seen[] = []
  const see = (step: string, input: unknown, action = useWfAction().getAction()) =>
    void seen.push({ step, input, action })

  @Controller('wire')
  class Wires {
    @Workflow('forms')
    @WorkflowSchema(['login', 'code'])
    forms() {}

    @Workflow('plain')
    @WorkflowSchema(['plain', 'behind'])
    plain() {}

    @Workflow('nested')
    @WorkflowSchema(['ask-nested'])
    nested() {}

    @Workflow('action')
    @WorkflowSchema(['ask-action'])
    action() {}

    @Step('login')
    login(@WfInput() input: LoginForm) {
      const { resolveAction, requireInput } = useAtscriptWf(LoginForm)
      see('login', input, resolveAction())
      if (input.password === 'wrong') {
        requireInput({ errors: { password: 'That is not it.' }, formMessage: 'Try again.' })
      }
    }

    @Step('code')
    code(
      @WfAction(CodeForm) action: string | undefined,
      @WfInput({ form: CodeForm, pass: true }) input: CodeForm | undefined,
    ) {
      see('code', input, action)
      if (action === 'resend') useAtscriptWf(CodeForm).requireInput({ formMessage: 'Sent again.' })
    }

    @Step('plain')
    plainStep(@WorkflowParam('input') input?: Record<string, unknown>) {
      see('plain', input)
      if (!input || useWfAction().getAction() !== undefined) return outletHttp({ ask: 'anything' })
    }

    @Step('behind')
    behind(@WorkflowParam('input') input?: unknown) {
      see('behind', input)
    }

    @Step('ask-nested')
    askNested(@WfInput() input: NestedForm) {
      see('nested', input, useAtscriptWf(NestedForm).resolveAction())
    }

    @Step('ask-action')
    askAction(@WfInput() input: ActionForm) {
      see('action', input, useAtscriptWf(ActionForm).resolveAction())
    }
  }

  const app = await openFormApp(Wires, { ledger: new WfLedgerMemory() })
  return {
    ...app,
    seen,
    /** Starts a workflow; what its first step has seen until then does not count. */
    async begin(wfid: string): Promise<string> {
      const wfs = await app.start(wfid)
      seen.length = 0
      return wfs
    },
  }
}

describe.each(WIRES)('point 1, the %s wire', (_name, wire) => {
  it('brings what was typed to a form', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    const { body } = await app.send(wire(wfs, { data: RIGHT }))
    expect(app.seen).toEqual([{ step: 'login', input: RIGHT, action: undefined }])
    expect(body.inputRequired.payload.id).toBe('CodeForm')
  })

  it('brings an action with data, checked as far as it goes', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    const wrong = await app.send(wire(wfs, { data: { email: 'ada' }, action: 'draft' }))
    expect(shownErrors(wrong)).toEqual({ email: 'Invalid email format.' })
    await app.send(wire(wrong.body.wfs, { data: { email: RIGHT.email }, action: 'draft' }))
    expect(app.seen).toEqual([{ step: 'login', input: { email: RIGHT.email }, action: 'draft' }])
  })

  it('brings an action without data, for one step', async () => {
    const app = await openWires()
    const { body } = await app.send({ wfid: 'wire/forms', input: RIGHT })
    app.seen.length = 0
    const again = await app.send(wire(body.wfs, { action: 'resend' }))
    expect(app.seen).toEqual([{ step: 'code', input: undefined, action: 'resend' }])
    expect(again.body.inputRequired.payload.id).toBe('CodeForm')
  })

  it('is answered with what is wrong: per field, and about the form in both places', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    const invalid = await app.send(wire(wfs, { data: { email: 'ada' } }))
    expect(shownErrors(invalid)).toEqual({
      email: 'Invalid email format.',
      password: 'Please fill in this field.',
    })
    expect(shownFormError(invalid)).toBeUndefined()
    const data = { email: RIGHT.email, password: 'wrong' }
    const again = await app.send(wire(invalid.body.wfs, { data }))
    expect(shownErrors(again)).toEqual({ password: 'That is not it.' })
    expect(shownFormError(again)).toBe('Try again.')
    expect(again.body.inputRequired.context.formMessage).toBe('Try again.')
  })

  it('brings what was typed to a step without a form, and nothing to the one behind it', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/plain')
    const { body } = await app.send(wire(wfs, { data: { coffee: 'flat white' } }))
    expect(body).toEqual({ finished: true })
    expect(app.seen).toEqual([
      { step: 'plain', input: { coffee: 'flat white' }, action: undefined },
      { step: 'behind', input: undefined, action: undefined },
    ])
  })

  it('tells a step without a form which action it is', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/plain')
    const { body } = await app.send(wire(wfs, { data: { coffee: 'mocha' }, action: 'draft' }))
    await app.send(wire(body.wfs, { action: 'resend' }))
    expect(app.seen).toMatchObject([
      { step: 'plain', input: { coffee: 'mocha' }, action: 'draft' },
      { step: 'plain', action: 'resend' },
    ])
  })

  it('can be sent again: the same answer, and no step runs twice', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    const request = { ...wire(wfs, { data: RIGHT }), requestId: 'r1' }
    const first = await app.send(request)
    expect((await app.send(request)).text).toBe(first.text)
    expect(app.seen).toHaveLength(1)
    const changed = { ...wire(wfs, { data: RIGHT, action: 'draft' }), requestId: 'r1' }
    expect((await app.send(changed)).body.error.code).toBe('WF_REQUEST_CHANGED')
  })

  it('gets a sentence at a field whose text cannot be kept, and 400 where no form looks', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    const data = { ...RIGHT, password: 'a\u0000b' }
    const refused = await app.send(wire(wfs, { data }))
    expect(Object.keys(shownErrors(refused))).toEqual(['password'])
    const plain = await app.begin('wire/plain')
    expect((await app.send(wire(plain, { data }))).status).toBe(400)
    expect((await app.send(wire(plain, { action: 'a\u0000b' }))).status).toBe(400)
    expect(app.seen.filter(({ step }) => step === 'behind')).toEqual([])
  })

  it('is answered with an error that the public client can show', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/forms')
    await app.send(wire(wfs, { data: RIGHT }))
    const gone = await app.send(wire(wfs, { data: RIGHT }))
    expect(gone.status).toBe(410)
    expect(shownFailure(gone)).toBe('This link or form is no longer valid. Please start again.')
    expect(gone.body.error.code).toBe('WF_STATE_GONE')
  })
})

describe('point 1, a form with fields of the names that the newer wire uses', () => {
  it('takes the older wire as ever: "formData"', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/nested')
    const data = { formData: { name: 'Ada' } }
    expect((await app.send(olderWire(wfs, { data }))).body).toEqual({ finished: true })
    expect(app.seen).toEqual([{ step: 'nested', input: data, action: undefined }])
  })

  it('takes the older wire as ever: "action"', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/action')
    const data = { action: 'approve' }
    expect((await app.send(olderWire(wfs, { data }))).body).toEqual({ finished: true })
    expect(app.seen).toEqual([{ step: 'action', input: data, action: undefined }])
  })
})

describe('point 1, an input that only looks like the newer wire', () => {
  it.each([
    [{ formData: { a: 1 }, other: 2 }],
    [{ formData: 'a text' }],
    [{ formData: [1] }],
    [{ action: 7 }],
    [{ formData: { a: 1 }, action: 7 }],
    [{ formData: 'a text', action: 'resend' }],
    [{ formData: null }],
    [{}],
  ])('reaches a step without a form as it came: %j', async input => {
    const app = await openWires()
    const wfs = await app.begin('wire/plain')
    await app.send({ wfs, input })
    expect(app.seen[0]).toEqual({ step: 'plain', input, action: undefined })
  })

  it('is taken as it came where the action stands beside it', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/plain')
    const input = { formData: { a: 1 } }
    await app.send({ wfs, input, action: 'draft' })
    expect(app.seen).toEqual([{ step: 'plain', input, action: 'draft' }])
  })

  it('is not lost for a step without a form that has a field "action"', async () => {
    const app = await openWires()
    const wfs = await app.begin('wire/plain')
    await app.send({ wfs, input: { action: 'approve' } })
    expect(app.seen).toEqual([{ step: 'plain', input: { action: 'approve' }, action: 'approve' }])
  })

  it('may have null for what is not there', async () => {
    const app = await openWires()
    const { body } = await app.send({ wfid: 'wire/forms', input: RIGHT })
    app.seen.length = 0
    const { wfs } = body
    await app.send({ wfs, input: { formData: null, action: 'resend' } })
    expect(app.seen).toEqual([{ step: 'code', input: undefined, action: 'resend' }])
  })
})

describe('point 1, without HTTP', () => {
  it('a runner takes both', async () => {
    const app = await openWires()
    const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
    const runner = createWfRunner({ state }, app.wf)
    for (const [, wire] of WIRES) {
      app.seen.length = 0
      const first = await runner.start('wire/forms')
      if (first.kind !== 'paused') throw new Error(`It is ${first.kind}.`)
      await runner.resume(first.token, wire('', { data: RIGHT, action: 'draft' }))
      expect(app.seen).toEqual([{ step: 'login', input: RIGHT, action: 'draft' }])
    }
  })
})
