import { randomBytes } from 'node:crypto'
import {
  abortWf,
  EncapsulatedStateStrategy,
  finishWf,
  HandleStateStrategy,
  Step,
  StepRetriableError,
  useAtscriptWf,
  WfAction,
  WfInput,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import fc from 'fast-check'
import { Controller } from 'moost'
import { expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { openFormApp } from '../support/form-app'

const PASSED = ['tenant', 'attempts']
/** Every private key and value has it, so that it is seen wherever it turns up. */
const MARK = 'kept-on-the-server'

type Context = Record<string, unknown>
type Ending = 'finish' | 'abort' | 'refuse' | 'fail' | 'ask' | 'retry'

/** An application whose steps end as they are told, with a context as it is given. */
function openApp(plan: { context: Context; endings: readonly Ending[] }, encapsulated: boolean) {
  const ending = () => (plan.endings as Ending[]).at(count++ % plan.endings.length)
  let count = 0

  @Controller('auth')
  class Auth {
    @Workflow('login')
    @WorkflowSchema<Context>(['password', 'code'])
    login() {}

    @Step('password')
    password(@WfInput() _input: LoginForm) {
      return end(() => useAtscriptWf(LoginForm).requireInput({ formMessage: 'Again.' }))
    }

    @Step('code')
    code(
      @WfAction(CodeForm) _action: string,
      @WfInput({ pass: true }) _input: CodeForm,
      @WorkflowParam('context') _ctx: Context,
    ) {
      return end(() => useAtscriptWf(CodeForm).requireInput({ errors: { code: 'Wrong.' } }))
    }
  }

  function end(askAgain: () => never) {
    switch (ending()) {
      case 'finish':
        return finishWf({ message: 'Done.' })
      case 'abort':
        return abortWf('over')
      case 'refuse':
        throw new HttpError(403, 'No.')
      case 'fail':
        throw new Error(`${MARK} in a message`)
      case 'ask':
        return askAgain()
      default:
        throw new StepRetriableError(new Error(MARK), { form: 'Wrong.' }, { again: true })
    }
  }

  const state = encapsulated
    ? new EncapsulatedStateStrategy({ secret: randomBytes(32) })
    : new HandleStateStrategy({ store: new WfStateStoreMemory() })
  return openFormApp(Auth, { state, initialContext: () => structuredClone(plan.context) })
}

const privateKey = fc.string({ maxLength: 8 }).map(text => `${MARK} ${text}`)
const privateValue = fc.oneof(
  fc.constant(MARK),
  fc.constant([MARK]),
  fc.constant({ password: MARK, nested: { tenant: MARK } }),
)
const contexts = fc
  .tuple(
    fc.dictionary(privateKey, privateValue, { maxKeys: 5 }),
    fc.record({ tenant: fc.string(), attempts: fc.nat() }, { requiredKeys: [] }),
    fc.record(
      {
        password: privateValue,
        email: privateValue,
        errors: privateValue,
        formMessage: fc.constant(MARK),
        wfs: fc.constant(MARK),
        payload: privateValue,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([others, passed, named]): Context => ({ ...others, ...named, ...passed }))
const endings = fc.array(
  fc.constantFrom<Ending>('finish', 'abort', 'refuse', 'fail', 'ask', 'retry'),
  { minLength: 1, maxLength: 5 },
)
const requests = fc.array(
  fc.record(
    {
      input: fc.oneof(
        fc.constant({ email: 'ada@example.com', password: 'x' }),
        fc.constant({ code: '123456' }),
        fc.constant({ formData: { code: '123456' }, action: 'resend' }),
        fc.constant({ formData: { email: 2 } }),
        fc.constant({ action: 'draft' }),
        fc.constant({ code: 1, email: 2 }),
        fc.json().map((text): unknown => JSON.parse(text)),
      ),
      action: fc.constantFrom('resend', 'draft', 'forgot', 'fly'),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 6 },
)

it.each([
  ['handle', false],
  ['encapsulated', true],
])('context keys that no form passes are in no answer: %s', async (_name, encapsulated) => {
  const plan: { context: Context; endings: readonly Ending[] } = { context: {}, endings: ['ask'] }
  const app = await openApp(plan, encapsulated)
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(contexts, endings, requests, async (context, ends, sent) => {
      Object.assign(plan, { context, endings: ends })
      let wfs: unknown
      for (const request of [undefined, ...sent]) {
        const answer = await app.send(request ? { wfs, ...request } : { wfid: 'auth/login' })
        wfs = answer.body.wfs ?? wfs
        statuses.add(answer.status)
        expect(answer.text).not.toContain(MARK)
        const shown = answer.body.inputRequired?.context ?? {}
        const ours = ['errors', 'formMessage']
        expect(Object.keys(shown).filter(key => ![...PASSED, ...ours].includes(key))).toEqual([])
        for (const key of PASSED) {
          if (Object.hasOwn(shown, key)) expect(shown[key]).toEqual(context[key])
        }
      }
    }),
    { numRuns: 150 },
  )
  // It has seen answers of every kind, so it could have failed.
  expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 403, 500]))
})
