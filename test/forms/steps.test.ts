import {
  Step,
  useAtscriptWf,
  WfAction,
  WfInput,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { openFormApp } from '../support/form-app'

interface Login {
  email?: string
  tenant: string
  passwordHash: string
  tries?: number
  action?: string
  code?: unknown
}

/** What the steps have seen. */
function openLogin() {
  const seen: { step: string; input?: unknown; action?: string }[] = []

  @Controller('auth')
  class Auth {
    @Workflow('login')
    @WorkflowSchema<Login>(['password', 'code'])
    login(@WorkflowParam('context') ctx: Login) {
      ctx.tenant = 'acme'
      ctx.passwordHash = 'hash-of-a-secret'
    }

    @Workflow('loop')
    @WorkflowSchema<Login>([{ while: ctx => ctx.code === undefined, steps: ['code'] }])
    loop() {}

    @Step('password')
    password(@WfInput() input: LoginForm, @WorkflowParam('context') ctx: Login) {
      seen.push({ step: 'password', input, action: useAtscriptWf(LoginForm).resolveAction() })
      ctx.tries = (ctx.tries ?? 0) + 1
      if (input.password !== 'right') {
        useAtscriptWf(LoginForm).requireInput({
          errors: { password: 'That is not the password.' },
          formMessage: 'Please try again.',
        })
      }
      ctx.email = input.email
    }

    @Step('code')
    code(
      @WfAction(CodeForm) action: string | undefined,
      @WfInput({ pass: true }) input: CodeForm,
      @WorkflowParam('context') ctx: Login,
    ) {
      seen.push({ step: 'code', input, action })
      if (action === 'resend') useAtscriptWf(CodeForm).requireInput({ formMessage: 'Sent again.' })
      ctx.action = action
      ctx.code = input
    }
  }
  return openFormApp(Auth).then(app => ({ ...app, seen }))
}

const EMAIL = 'ada@example.com'

describe('a step with a form', () => {
  it('does not run until the form is there: the form is asked for', async () => {
    const app = await openLogin()
    const { status, body } = await app.send({ wfid: 'auth/login' })
    expect(status).toBe(200)
    expect(body.inputRequired.payload.id).toBe('LoginForm')
    expect(body.inputRequired.context).toEqual({ tenant: 'acme' })
    expect(app.seen).toEqual([])
  })

  it('gets what was typed, and the next step asks for its own form', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const input = { email: EMAIL, password: 'right', admin: true, device: 'mine', forgot: true }
    const { body } = await app.send({ wfs, input })
    expect(app.seen).toEqual([{ step: 'password', input: { email: EMAIL, password: 'right' } }])
    expect(body.inputRequired.payload.id).toBe('CodeForm')
    const end = await app.send({ wfs: body.wfs, input: { code: '123456' } })
    expect(end.text).toBe('{"finished":true}')
  })

  it('stays where it is when the input is wrong: 200, a sentence per field, a new token', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const { status, body } = await app.send({ wfs, input: { email: 'ada' } })
    expect(status).toBe(200)
    expect(body.inputRequired.payload.id).toBe('LoginForm')
    expect(body.inputRequired.context).toEqual({
      tenant: 'acme',
      errors: { email: 'Invalid email format.', password: 'Please fill in this field.' },
    })
    expect(body.wfs).not.toBe(wfs)
    expect((await app.send({ wfs, input: {} })).status).toBe(410)
    expect(app.seen).toEqual([])
    const again = await app.send({ wfs: body.wfs, input: { email: EMAIL, password: 'right' } })
    expect(again.body.inputRequired.payload.id).toBe('CodeForm')
  })

  it('asks again with its own sentences, and what it has counted is kept', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const { body } = await app.send({ wfs, input: { email: EMAIL, password: 'wrong-secret' } })
    expect(body.inputRequired.context).toEqual({
      tenant: 'acme',
      errors: { password: 'That is not the password.', __form: 'Please try again.' },
      formMessage: 'Please try again.',
    })
    expect(await app.contextOf(body.wfs)).toMatchObject({ tries: 1 })
  })

  it('never echoes, stores or logs what was typed', async () => {
    const app = await openLogin()
    const secret = 'hunter2-hunter2'
    for (const input of [
      { email: EMAIL, password: secret },
      { email: secret, password: secret },
      { email: EMAIL, password: [secret], [secret]: secret },
      secret,
    ]) {
      const wfs = await app.start('auth/login')
      const answer = await app.send({ wfs, input })
      expect(answer.body.inputRequired.payload.id).toBe('LoginForm')
      expect(answer.text).not.toContain(secret)
      expect(JSON.stringify(await app.contextOf(answer.body.wfs))).not.toContain(secret)
    }
    expect(app.log.map(({ text }) => text).join('\n')).not.toContain(secret)
  })

  it('takes its input once: the next round of a loop asks', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/loop')
    const { body } = await app.send({ wfs, action: 'skip' })
    expect(app.seen).toEqual([{ step: 'code', input: undefined, action: 'skip' }])
    expect(body.inputRequired.payload.id).toBe('CodeForm')
  })

  it('runs without an endpoint too', async () => {
    const app = await openLogin()
    const output = await app.wf.start('auth/login', {})
    expect(output).toMatchObject({ finished: false, inputRequired: { outlet: 'http' } })
    const next = await app.wf.resume(output.state, { input: { email: EMAIL, password: 'x' } })
    expect(next.errorList).toEqual({ password: 'That is not the password.' })
  })
})

describe('an action', () => {
  it('without data is refused by a step that did not say pass, with its form and a warning', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const { body } = await app.send({ wfs, action: 'forgot' })
    expect(body.inputRequired.payload.id).toBe('LoginForm')
    expect(app.seen).toEqual([])
    const warnings = app.log.filter(({ level }) => level === 'warn').map(({ text }) => text)
    expect(warnings).toEqual([expect.stringContaining('"auth/password" got the action "forgot"')])
  })

  it('without data reaches a step that says pass', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/loop')
    const { body } = await app.send({ wfs, action: 'resend', input: {} })
    expect(app.seen).toEqual([{ step: 'code', input: undefined, action: 'resend' }])
    expect(body.inputRequired.context).toEqual({
      errors: { __form: 'Sent again.' },
      formMessage: 'Sent again.',
    })
  })

  it('with data where none is allowed gets the form again, and a sentence', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/loop')
    const { status, body } = await app.send({ wfs, action: 'resend', input: { code: '123456' } })
    expect(status).toBe(200)
    expect(body.inputRequired.payload.id).toBe('CodeForm')
    expect(body.inputRequired.context.formMessage).toBe('This action takes no data.')
    expect(app.seen).toEqual([])
    const end = await app.send({ wfs: body.wfs, input: { code: '123456' } })
    expect(end.body).toEqual({ finished: true })
  })

  it('with data has what was typed so far, checked', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const wrong = await app.send({ wfs, action: 'draft', input: { email: 'ada' } })
    expect(wrong.body.inputRequired.context.errors).toEqual({ email: 'Invalid email format.' })
    const { body } = await app.send({
      wfs: wrong.body.wfs,
      action: 'draft',
      input: { email: EMAIL },
    })
    expect(app.seen).toEqual([{ step: 'password', input: { email: EMAIL }, action: 'draft' }])
    expect(body.inputRequired.payload.id).toBe('LoginForm')
  })

  it.each(['resend', 'FORGOT', '', 'toString', '__proto__', 'constructor'])(
    'that the form does not have gets the form again before the step runs: "%s"',
    async action => {
      const app = await openLogin()
      const wfs = await app.start('auth/login')
      const input = { email: EMAIL, password: 'right' }
      const again = await app.send({ wfs, action, input })
      expect(again.status).toBe(200)
      expect(again.body.inputRequired.payload.id).toBe('LoginForm')
      expect(again.body.inputRequired.context.formMessage).toBe('This form has no such action.')
      expect(app.seen).toEqual([])
      const { body } = await app.send({ wfs: again.body.wfs, input })
      expect(body.inputRequired.payload.id).toBe('CodeForm')
    },
  )

  it('is for the step that had paused, not for the one behind it', async () => {
    const app = await openLogin()
    const wfs = await app.start('auth/login')
    const input = { email: EMAIL, password: 'right' }
    const { status, body } = await app.send({ wfs, action: 'draft', input })
    expect(status).toBe(200)
    expect(body.inputRequired.payload.id).toBe('CodeForm')
  })
})
