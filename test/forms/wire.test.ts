import {
  abortWf,
  createEmailOutlet,
  finishWf,
  type FinishWfOpts,
  HandleStateStrategy,
  outletEmail,
  Step,
  useAtscriptWf,
  WfAction,
  WfInput,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { openFormApp } from '../support/form-app'
import { readFile } from '../support/project'

interface Login {
  tenant?: string
  email?: string
  secret?: string
  mailed?: boolean
}

/** An end in the form of the public package. */
const CHOICE: FinishWfOpts = {
  message: { level: 'info', text: 'You can do it later.' },
  next: {
    trigger: 'manual',
    primary: { label: 'Home', action: { type: 'redirect', target: '/home', reason: 'skipped' } },
    options: [{ label: 'Start again', action: { type: 'reload' } }],
  },
}

@Controller('auth')
class Auth {
  @Workflow('login')
  @WorkflowSchema<Login>(['password', 'code', { id: 'mail', condition: ctx => !!ctx.mailed }])
  login(@WorkflowParam('context') ctx: Login) {
    ctx.tenant = 'acme'
    ctx.secret = 'not for the client'
  }

  @Step('password')
  password(@WfInput() input: LoginForm, @WorkflowParam('context') ctx: Login) {
    if (input.password !== 'right') {
      useAtscriptWf(LoginForm).requireInput({
        errors: { password: 'That is not it.' },
        formMessage: 'Please try again.',
      })
    }
    ctx.email = input.email
  }

  @Step('code')
  code(
    @WfAction(CodeForm) action: string | undefined,
    @WfInput({ form: CodeForm, pass: true }) input: CodeForm | undefined,
    @WorkflowParam('context') ctx: Login,
  ) {
    if (action === 'resend') ctx.mailed = true
    if (action === 'skip') return finishWf(CHOICE)
    if (input?.code === '000000') abortWf('locked', { message: 'Too many codes.', next: '/login' })
    finishWf({ data: { user: ctx.email }, message: 'Welcome.', next: '/home' })
  }

  @Step('mail')
  mail() {
    return outletEmail('ada@example.com', 'code')
  }
}

const OLDER = 'test/fixtures/wire/forms.txt'
const NEWER = 'test/fixtures/wire/forms-newer.txt'

interface Submit {
  readonly wfs: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly action?: string
}

/**
 * The exchanges of the golden files, in their order. Clients that are deployed already speak exactly
 * this: a change here breaks their pages.
 */
const EXCHANGES: readonly [title: string, request: Submit | Readonly<Record<string, unknown>>][] = [
  ['start', { wfid: 'auth/login' }],
  ['invalid input', { wfs: 'default.h1', input: { email: 'ada' } }],
  ['a step asks again', { wfs: 'default.h2', input: { email: 'a@b.cd', password: 'x' } }],
  ['an action that the form does not have', { wfs: 'default.h3', action: 'fly' }],
  ['the next form', { wfs: 'default.h4', input: { email: 'a@b.cd', password: 'right' } }],
  [
    'an action with data where none is allowed',
    { wfs: 'default.h5', action: 'resend', input: { code: '1' } },
  ],
  ['done', { wfs: 'default.h6', input: { code: '123456' } }],
  ['a used token', { wfs: 'default.h6', input: { code: '123456' } }],
  ['start with an input', { wfid: 'auth/login', input: { email: 'a@b.cd', password: 'right' } }],
  ['aborted', { wfs: 'default.h7', input: { code: '000000' } }],
  ['start another', { wfid: 'auth/login', input: { email: 'a@b.cd', password: 'right' } }],
  ['sent', { wfs: 'default.h8', action: 'resend' }],
  ['start a third', { wfid: 'auth/login' }],
  ['an action with data', { wfs: 'default.h10', action: 'draft', input: { email: 'a@b.cd' } }],
  ['the last form', { wfs: 'default.h11', input: { email: 'a@b.cd', password: 'right' } }],
  ['a choice', { wfs: 'default.h12', action: 'skip' }],
]

/** What newer clients send instead: the form and the action are one input. */
function wrapped(request: Submit | Readonly<Record<string, unknown>>): object {
  if (!('wfs' in request)) return request
  const { wfs, input: formData, action } = request as Submit
  return { wfs, input: { formData, action } }
}

async function speak(wire: (request: object) => object): Promise<string> {
  let handles = 0
  const state = new HandleStateStrategy({
    store: new WfStateStoreMemory(),
    generateHandle: () => `h${++handles}`,
  })
  const app = await openFormApp(Auth, { state, outlets: [createEmailOutlet(() => undefined)] })
  const lines: string[] = []
  for (const [title, request] of EXCHANGES) {
    const sent = wire(request)
    const { status, text } = await app.send(sent)
    lines.push(`# ${title}`, `> ${JSON.stringify(sent)}`, `< ${status} ${text}`, '')
  }
  return lines.join('\n')
}

const answersIn = (golden: string): string[] =>
  golden.split('\n').filter(line => line.startsWith('<'))

describe('the wire protocol of forms', () => {
  it('is the one of older clients, byte for byte', async () => {
    expect(await speak(request => request)).toBe(readFile(OLDER).text)
  })

  it('is the one of newer clients, byte for byte', async () => {
    expect(await speak(request => wrapped(request as Submit))).toBe(readFile(NEWER).text)
  })

  it('answers both alike', () => {
    expect(answersIn(readFile(NEWER).text)).toEqual(answersIn(readFile(OLDER).text))
  })
})
