import {
  abortWf,
  createEmailOutlet,
  finishWf,
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
    if (input?.code === '000000') abortWf('locked', { message: 'Too many codes.', next: '/login' })
    finishWf({ data: { user: ctx.email }, message: 'Welcome.', next: '/home' })
  }

  @Step('mail')
  mail() {
    return outletEmail('ada@example.com', 'code')
  }
}

/**
 * The exchanges of the golden file, in its order. The public client speaks exactly this: a change
 * here breaks pages that are deployed already.
 */
const EXCHANGES: readonly [title: string, request: Record<string, unknown>][] = [
  ['start', { wfid: 'auth/login' }],
  ['invalid input', { wfs: 'default.h1', input: { email: 'ada' } }],
  ['a step asks again', { wfs: 'default.h2', input: { email: 'a@b.cd', password: 'x' } }],
  ['an action that the form does not have', { wfs: 'default.h3', action: 'fly' }],
  ['the next form', { wfs: 'default.h3', input: { email: 'a@b.cd', password: 'right' } }],
  [
    'an action with data where none is allowed',
    { wfs: 'default.h4', action: 'resend', input: { code: '1' } },
  ],
  ['done', { wfs: 'default.h4', input: { code: '123456' } }],
  ['a used token', { wfs: 'default.h4', input: { code: '123456' } }],
  ['start with an input', { wfid: 'auth/login', input: { email: 'a@b.cd', password: 'right' } }],
  ['aborted', { wfs: 'default.h5', input: { code: '000000' } }],
  ['start another', { wfid: 'auth/login', input: { email: 'a@b.cd', password: 'right' } }],
  ['sent', { wfs: 'default.h6', action: 'resend' }],
]

const GOLDEN = 'test/fixtures/wire/forms.txt'

async function speak(): Promise<string> {
  let handles = 0
  const state = new HandleStateStrategy({
    store: new WfStateStoreMemory(),
    generateHandle: () => `h${++handles}`,
  })
  const app = await openFormApp(Auth, { state, outlets: [createEmailOutlet(() => undefined)] })
  const lines: string[] = []
  for (const [title, request] of EXCHANGES) {
    const { status, text } = await app.send(request)
    lines.push(`# ${title}`, `> ${JSON.stringify(request)}`, `< ${status} ${text}`, '')
  }
  return lines.join('\n')
}

describe('the wire protocol of forms', () => {
  it('is the one of the public client, byte for byte', async () => {
    expect(await speak()).toBe(readFile(GOLDEN).text)
  })
})
