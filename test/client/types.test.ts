import {
  createWfClient,
  describeForm,
  type WfClient,
  type WfClientState,
  type WfClientError,
  type WfFormSchema,
  type WfFormView,
  type WfWatched,
  type WfWatchOptions,
  type WfWatchState,
  watchWf,
} from '@atscript/moost-wf/client'
import { serializeAnnotatedType } from '@atscript/typescript/utils'
import { describe, expectTypeOf, it } from 'vitest'
import type { LoginForm } from '../fixtures/schemas/login-form.as'

interface Code {
  code: string
}

interface Login {
  input: LoginForm | Code
  action: 'resend' | 'forgot'
  context: { tenant: string }
  data: { user: string }
}

const options = { path: '/wf', name: 'auth/login' }
const login = createWfClient<Login>(options)
const any = createWfClient(options)

describe('the types of a client', () => {
  it('are those of its forms', () => {
    expectTypeOf(login.submit).parameter(0).toEqualTypeOf<LoginForm | Code | undefined>()
    expectTypeOf(login.action).parameter(0).toEqualTypeOf<'resend' | 'forgot'>()
    expectTypeOf(login.update)
      .parameter(0)
      .toEqualTypeOf<Readonly<Partial<LoginForm>> | Readonly<Partial<Code>>>()
    expectTypeOf(login.submit).returns.resolves.toEqualTypeOf<WfClientState<Login>>()
  })

  it('are those of its answers', () => {
    expectTypeOf(login.state.response?.data?.user).toEqualTypeOf<string | undefined>()
    expectTypeOf(login.state.context.tenant).toEqualTypeOf<string>()
    expectTypeOf(login.state.form).toEqualTypeOf<WfFormSchema | undefined>()
    expectTypeOf(login.state.errors).toEqualTypeOf<Readonly<Record<string, string>>>()
    expectTypeOf(login.subscribe)
      .parameter(0)
      .toEqualTypeOf<(state: WfClientState<Login>) => void>()
  })

  it('refuse what the workflow does not know', () => {
    const check = () => {
      // @ts-expect-error -- no such field
      void login.submit({ pin: '1' })
      // @ts-expect-error -- a code is a text
      void login.submit({ code: 1 })
      // @ts-expect-error -- no such action
      void login.action('delete')
      // @ts-expect-error -- nobody changes a snapshot
      login.state.loading = true
      // @ts-expect-error -- no such kind of type
      createWfClient<{ inputs: Code }>(options)
      // @ts-expect-error -- the id of the workflow is missing
      createWfClient({ path: '/wf' })
    }
    expectTypeOf(check).returns.toBeVoid()
  })

  it('allow anything where nothing is said', () => {
    expectTypeOf(any.submit).toBeCallableWith({ anything: 1 })
    expectTypeOf(any.action).toBeCallableWith('anything', { at: 'all' })
    expectTypeOf(any.state.data.anything).toBeUnknown()
    expectTypeOf(any.state.context.anything).toBeUnknown()
    expectTypeOf(any.state.response?.data).toBeUnknown()
  })

  it('let a component take any client', () => {
    expectTypeOf<WfClient<Login>>().toExtend<WfClient>()
  })

  it('are those of codes, fresh links and what is watched', () => {
    expectTypeOf(login.enterCode).parameters.toEqualTypeOf<[code: string]>()
    expectTypeOf(login.enterCode).returns.resolves.toEqualTypeOf<WfClientState<Login>>()
    expectTypeOf(login.askFresh).parameters.toEqualTypeOf<[]>()
    expectTypeOf(login.askFresh).returns.resolves.toEqualTypeOf<WfClientState<Login>>()
    expectTypeOf(login.forget).toEqualTypeOf<(watch: string) => void>()
    expectTypeOf(login.restart).parameter(0).toEqualTypeOf<LoginForm | Code | undefined>()
    expectTypeOf(login.state.freshAsked).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(login.state.response?.watch).toEqualTypeOf<string | undefined>()
    expectTypeOf<WfClientError['fresh']>().toEqualTypeOf<true | undefined>()
    expectTypeOf<WfClientError['triesLeft']>().toEqualTypeOf<number | undefined>()
    expectTypeOf(watchWf).toEqualTypeOf<
      (
        options: WfWatchOptions,
        listener: (seen: WfWatched) => void,
      ) => Promise<WfWatched | undefined>
    >()
    expectTypeOf<WfWatchOptions['forget']>().toEqualTypeOf<typeof login.forget | undefined>()
    const check = () => {
      // @ts-expect-error -- a code is a text
      void login.enterCode(123456)
      // @ts-expect-error -- there is no token
      void watchWf({ path: '/wf' }, () => {})
      // @ts-expect-error -- no such state
      const state: WfWatchState = 'opened'
      return state
    }
    expectTypeOf(check).returns.toEqualTypeOf<WfWatchState>()
  })

  it('let a form of its own take the place of an atscript type', () => {
    const client = createWfClient<{ form: { ask: string } }>(options)
    expectTypeOf(client.state.form).toEqualTypeOf<{ ask: string } | undefined>()
  })

  it('take what fetch and sessionStorage are, and what atscript serialises', () => {
    expectTypeOf(createWfClient).toBeCallableWith({ ...options, fetch: globalThis.fetch })
    const watched = { path: '/wf', watch: 'token', fetch: globalThis.fetch }
    expectTypeOf(watchWf).toBeCallableWith(watched, () => {})
    type Serialised = ReturnType<typeof serializeAnnotatedType>
    expectTypeOf<Serialised['metadata']>().toExtend<WfFormSchema['metadata']>()
    expectTypeOf(describeForm).toEqualTypeOf<(form: WfFormSchema) => WfFormView>()
  })
})
