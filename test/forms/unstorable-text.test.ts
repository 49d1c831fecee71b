import {
  HandleStateStrategy,
  outletHttp,
  Step,
  useAtscriptWf,
  useWfState,
  WfAction,
  WfInput,
  type WfForm,
  WfLedgerMemory,
  type WfOutletConfig,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { typesOf } from '../support/atscript'
import { openFormApp } from '../support/form-app'
import { request } from '../support/shop'

const { Form } = (await typesOf(`
@wf.action.withData 'draft'
export interface Form {
    reason: string

    tags?: string[]

    address?: {
        street: string
    }

    choice?: string | number

    extras?: {
        [*]: string
    }

    anything?: unknown
}
`)) as { Form: WfForm }

const SENTENCE = 'This holds a character that cannot be kept. Please type it again.'
const KEY_SENTENCE = 'The name of an entry holds a character that cannot be kept.'

const BAD = {
  NUL: 'a\0b',
  'half a surrogate pair': '\ud83d',
  'the other half': 'x\ude00',
} as const

/** What the steps have seen. */
function openApp(overrides: Partial<WfOutletConfig> = {}) {
  const seen: unknown[] = []

  @Controller()
  class Workflows {
    @Workflow('form')
    @WorkflowSchema(['typed'])
    form() {}

    @Workflow('composed')
    @WorkflowSchema(['composed'])
    composedFlow() {}

    @Workflow('raw')
    @WorkflowSchema(['raw'])
    raw() {}

    @Workflow('late')
    @WorkflowSchema(['late'])
    late() {}

    @Workflow('kept')
    @WorkflowSchema(['kept'])
    kept() {}

    @Workflow('early')
    @WorkflowSchema(['typed'])
    early(@WorkflowParam('input') input: unknown) {
      seen.push(input)
    }

    @Step('typed')
    typed(@WfInput({ form: Form }) input: unknown, @WfAction(Form) action?: string) {
      seen.push(action === undefined ? input : { action, input })
    }

    @Step('composed')
    composed() {
      seen.push(useAtscriptWf(Form).resolveInput())
    }

    @Step('raw')
    rawStep(@WorkflowParam('input') input: { reason: string } | undefined) {
      if (!input) return outletHttp({ ask: 'reason' })
      seen.push(input.reason)
    }

    @Step('late')
    lateStep() {
      const input = useWfState().input<{ reason: string }>()
      if (!input) return outletHttp({ ask: 'reason' })
      seen.push(input.reason)
    }

    @Step('kept')
    keptStep(@WorkflowParam('context') ctx: { input?: unknown }) {
      if (ctx.input) return outletHttp({ ask: 'more' })
      ctx.input = useWfState().input()
      return outletHttp({ ask: 'reason' })
    }
  }

  return openFormApp(Workflows, overrides).then(app => ({ ...app, seen }))
}

describe.each(Object.entries(BAD))('%s', (_what, bad) => {
  it.each<[string, object, Record<string, string>]>([
    ['a text', { reason: bad }, { reason: SENTENCE }],
    ['a list', { reason: 'r', tags: ['ok', bad] }, { 'tags.1': SENTENCE }],
    ['a section', { reason: 'r', address: { street: bad } }, { 'address.street': SENTENCE }],
    ['a union', { reason: 'r', choice: bad }, { choice: SENTENCE }],
    ['an entry', { reason: 'r', extras: { a: bad } }, { 'extras.a': SENTENCE }],
    ['anything', { reason: 'r', anything: { a: [bad] } }, { 'anything.a.0': SENTENCE }],
    [
      'a key of anything',
      { reason: 'r', anything: [{ [bad]: 1 }] },
      { 'anything.0': KEY_SENTENCE },
    ],
    ['the name of an entry', { reason: 'r', extras: { [bad]: 'a' } }, { extras: KEY_SENTENCE }],
  ])(
    'in %s of a form gets a sentence there, and nothing is lost',
    async (_where, input, errors) => {
      const app = await openApp()
      for (const flow of ['form', 'composed']) {
        const wfs = await app.start(flow)
        const { status, body } = await app.send({ wfs, input })
        expect([status, body.inputRequired?.context]).toEqual([200, { errors }])
        const end = await app.send({ wfs: body.wfs, input: { reason: 'r' } })
        expect(end.body).toEqual({ finished: true })
      }
      expect(app.seen).toEqual([{ reason: 'r' }, { reason: 'r' }])
    },
  )

  it('gets its sentence when it starts a flow, is a draft, or is sent again', async () => {
    const app = await openApp({ ledger: new WfLedgerMemory() })
    const input = { reason: bad }
    const started = await app.send({ wfid: 'form', input })
    expect(started.body.inputRequired.context).toEqual({ errors: { reason: SENTENCE } })
    const draft = await app.send({ wfs: started.body.wfs, action: 'draft', input })
    expect(draft.body.inputRequired.context).toEqual({ errors: { reason: SENTENCE } })
    const repeated = { wfs: draft.body.wfs, requestId: 'one', input }
    const first = await app.send(repeated)
    expect(first.body.inputRequired.context).toEqual({ errors: { reason: SENTENCE } })
    expect((await app.send(repeated)).text).toBe(first.text)
  })

  it('is of no interest where the form does not know it', async () => {
    const app = await openApp()
    const input = { reason: 'r', unknown: { [bad]: bad } }
    expect((await app.send({ wfid: 'form', input })).body).toEqual({ finished: true })
    expect(app.seen).toEqual([{ reason: 'r' }])
  })

  it.each(['raw', 'late', 'kept'])(
    'is refused by 400 in a step without a form, which goes on after that: %s',
    async flow => {
      const store = new WfStateStoreMemory()
      const state = new HandleStateStrategy({ store, onError: 'discard' })
      const app = await openApp({ state })
      const wfs = await app.start(flow)
      for (const input of [{ reason: bad }, { a: [{ [bad]: 1 }] }, bad, [bad]]) {
        const { status, body } = await app.send({ wfs, input })
        expect([status, body.error?.code]).toEqual([400, 'WF_BAD_REQUEST'])
        expect(body.message).toMatch(/cannot be kept/u)
      }
      expect(app.seen).toEqual([])
      expect((await app.send({ wfs, input: { reason: 'r' } })).status).toBe(200)
    },
  )

  it('is refused by 400 where the workflow itself looks at the input', async () => {
    const app = await openApp()
    const { status, body } = await app.send({ wfid: 'early', input: { reason: bad } })
    expect([status, body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
    expect(app.seen).toEqual([])
  })

  it.each([
    ['wfid', { wfid: `form${bad}` }],
    ['the token', { wfs: bad }],
    ['the action', { wfid: 'form', action: bad }],
    ['the request id', { wfid: 'form', requestId: bad }],
    ['another field', { wfid: 'form', other: { deep: [bad] } }],
    ['a key', { wfid: 'form', other: { [bad]: 1 } }],
    ['a key at the top', { wfid: 'form', [bad]: 1 }],
  ])('is refused by 400 in %s', async (_where, sent) => {
    const app = await openApp()
    const { status, body } = await app.send(sent)
    expect([status, body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
    expect(body.message).toMatch(/cannot be kept/u)
    expect(app.seen).toEqual([])
  })

  it('never reaches initialContext', async () => {
    const bodies: unknown[] = []
    const app = await openApp({
      initialContext: body => {
        bodies.push(JSON.stringify(body))
        return {}
      },
    })
    const answer = await app.send({ wfid: 'form', input: { reason: bad } })
    expect([answer.status, bodies]).toEqual([400, []])
  })
})

describe('NUL in a form-encoded body', () => {
  const post = (url: string, rawBody: string) =>
    request(url, undefined, {
      rawBody,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('gets a sentence at its field', async () => {
    const app = await openApp()
    const { status, body } = await post(app.url, 'wfid=form&reason=a%00b')
    expect([status, body.inputRequired.context]).toEqual([200, { errors: { reason: SENTENCE } }])
  })

  it.each([
    ['a step without a form', 'wfid=raw&reason=a%00'],
    ['a key for a step without a form', 'wfid=raw&a%00=b'],
    ['wfid', 'wfid=form%00'],
    ['the action', 'wfid=form&action=%00'],
    ['the request id', 'wfid=form&requestId=%00'],
  ])('is refused by 400 in %s', async (_where, text) => {
    const app = await openApp()
    const { status, body } = await post(app.url, text)
    expect([status, body.error.code]).toEqual([400, 'WF_BAD_REQUEST'])
    expect(app.seen).toEqual([])
  })

  it('never reaches initialContext', async () => {
    const app = await openApp({ initialContext: body => ({ ...body }) })
    expect((await post(app.url, 'wfid=form&reason=a%00')).status).toBe(400)
    expect((await post(app.url, 'wfid=form&reason=a')).status).toBe(200)
  })
})

describe('text that can be kept', () => {
  it.each(['', '👩‍👩‍👧', '\u2028', '\ufffd', '\u0001', 'é'])('is: %j', async reason => {
    const app = await openApp()
    expect((await app.send({ wfid: 'form', input: { reason } })).body).toEqual({ finished: true })
    expect(app.seen).toEqual([{ reason }])
  })
})
