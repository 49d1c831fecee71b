import {
  abortWf,
  finishWf,
  type FinishWfOpts,
  outletHttp,
  Step,
  useWfFinished,
  type WfActionRequest,
  type WfButton,
  type WfMessage,
  type WfNext,
  type WfOutletConfig,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { openFormApp } from '../support/form-app'
import { request } from '../support/shop'

/** An application whose workflow `end/now` asks once, and then ends as it is told. */
async function openEnd(
  end: () => unknown,
  envelope: 'as' | 'bare' = 'as',
  overrides: Partial<WfOutletConfig> = {},
) {
  @Controller('end')
  class End {
    @Workflow('now')
    @WorkflowSchema(['ask'])
    now() {}

    @Step('ask')
    ask(@WorkflowParam('input') input?: unknown) {
      return input === undefined ? outletHttp({ ask: 'go' }) : end()
    }
  }
  const app = await openFormApp(End, overrides, envelope)
  const wfs = await app.start('end/now')
  return {
    ...app,
    wfs,
    end: (headers?: Record<string, string>) => app.send({ wfs, input: {} }, headers),
  }
}

const HOME: WfActionRequest = { type: 'redirect', target: '/home' }
const MESSAGE: WfMessage = { level: 'success', text: 'You are signed in.' }
const STAY: WfButton = { label: 'Stay here', action: { type: 'dismiss' } }
const HTML = { accept: 'text/html,*/*' }

const ENDS: readonly FinishWfOpts[] = [
  { message: MESSAGE },
  { message: { level: 'info', text: 'Done.' }, data: { id: 1 } },
  { message: { level: 'warn', text: 'Almost.' } },
  { message: { level: 'error', text: 'No.' } },
  { next: { trigger: 'immediate', action: HOME } },
  { next: { trigger: 'immediate', action: { ...HOME, reason: 'signed-in' } } },
  { next: { trigger: 'immediate', action: { type: 'reload' } } },
  { next: { trigger: 'immediate', action: { type: 'dismiss' } } },
  { next: { trigger: 'auto', timeoutMs: 5000, action: HOME } },
  { next: { trigger: 'auto', timeoutMs: 0, action: HOME, skipButton: { label: 'Go on' } } },
  {
    next: {
      trigger: 'auto',
      timeoutMs: 5000,
      action: { type: 'reload' },
      skipButton: { label: 'Stay here', behavior: 'cancel' },
    },
  },
  {
    data: [1],
    message: MESSAGE,
    next: {
      trigger: 'auto',
      timeoutMs: 1.5,
      action: { type: 'dismiss' },
      skipButton: { label: 'Now', behavior: 'now' },
    },
  },
  { next: { trigger: 'manual' } },
  { next: { trigger: 'manual', primary: { label: 'Home', action: HOME } } },
  { next: { trigger: 'manual', options: [STAY, { label: 'Home', action: HOME }] } },
  {
    next: {
      trigger: 'manual',
      primary: { label: 'Again', action: { type: 'reload' } },
      options: [STAY],
    },
  },
]

describe('point 2, the end of a flow', () => {
  it.each(ENDS.map(end => [end]))('finishWf takes the public %j', async opts => {
    const app = await openEnd(() => finishWf(opts))
    const { status, text } = await app.end()
    const { data, message, next } = opts
    expect([status, text]).toEqual([200, JSON.stringify({ finished: true, data, message, next })])
  })

  it.each(ENDS.map(end => [end]))('abortWf takes the public %j', async opts => {
    const app = await openEnd(() => abortWf('locked', opts))
    const { status, body } = await app.end()
    expect([status, body]).toEqual([
      200,
      { finished: true, ...opts, aborted: true, reason: 'locked' },
    ])
  })

  it('has the public types, which read as they are written', () => {
    expectTypeOf<FinishWfOpts>().toEqualTypeOf<{
      readonly data?: unknown
      readonly message?: WfMessage | undefined
      readonly next?: WfNext | undefined
    }>()
    expectTypeOf<WfMessage['level']>().toEqualTypeOf<'info' | 'success' | 'warn' | 'error'>()
    expectTypeOf<WfNext['trigger']>().toEqualTypeOf<'immediate' | 'auto' | 'manual'>()
    expectTypeOf<WfActionRequest['type']>().toEqualTypeOf<'redirect' | 'reload' | 'dismiss'>()
    expectTypeOf<WfButton>().toEqualTypeOf<{
      readonly label: string
      readonly action: WfActionRequest
    }>()
    expectTypeOf(finishWf).toBeCallableWith({ message: 'Done.', next: '/home' })
    const opts: FinishWfOpts = { message: MESSAGE }
    expect(opts.message?.text).toBe(MESSAGE.text)
  })
})

const AWAY: WfActionRequest = { type: 'redirect', target: 'https://evil.example' }
const button = (action: WfActionRequest): WfButton => ({ label: 'Go', action })

describe('point 2, different on purpose: nothing leads to another site', () => {
  it.each<[string, WfNext]>([
    ['immediate', { trigger: 'immediate', action: AWAY }],
    ['auto', { trigger: 'auto', timeoutMs: 10, action: AWAY }],
    ['the primary button', { trigger: 'manual', primary: button(AWAY) }],
    ['any other button', { trigger: 'manual', options: [STAY, button(AWAY)] }],
    [
      'a path that is none',
      { trigger: 'immediate', action: { type: 'redirect', target: '//evil.example' } },
    ],
    [
      'a script',
      { trigger: 'manual', primary: button({ type: 'redirect', target: 'javascript:alert(1)' }) },
    ],
  ])('not %s, and the flow stays where it was', async (_what, next) => {
    let end: () => unknown = () => finishWf({ next })
    const app = await openEnd(() => end())
    const refused = await app.end()
    expect(refused.status).toBe(500)
    expect(refused.text).not.toContain('evil')
    expect(app.log.map(({ text }) => text).join()).toContain('a path of this site')
    end = () => abortWf('locked', { next })
    expect((await app.end()).status).toBe(500)
    end = () => finishWf()
    expect((await app.end()).body).toEqual({ finished: true })
  })
})

describe('point 2, what is no end', () => {
  it.each<[unknown, string]>([
    [{ message: 7 }, 'message'],
    [{ message: {} }, 'level'],
    [{ message: { level: 'fatal', text: 'x' } }, 'level'],
    [{ message: { level: 'info' } }, 'text'],
    [{ next: 7 }, 'next'],
    [{ next: {} }, 'trigger'],
    [{ next: { trigger: 'later' } }, 'trigger'],
    [{ next: { trigger: 'immediate' } }, 'action'],
    [{ next: { trigger: 'immediate', action: { type: 'fly' } } }, 'type'],
    [{ next: { trigger: 'immediate', action: { ...HOME, reason: 7 } } }, 'reason'],
    [{ next: { trigger: 'auto', action: HOME } }, 'timeoutMs'],
    [{ next: { trigger: 'auto', timeoutMs: -1, action: HOME } }, 'timeoutMs'],
    [{ next: { trigger: 'auto', timeoutMs: Infinity, action: HOME } }, 'timeoutMs'],
    [{ next: { trigger: 'auto', timeoutMs: 1, action: HOME, skipButton: {} } }, 'label'],
    [
      {
        next: {
          trigger: 'auto',
          timeoutMs: 1,
          action: HOME,
          skipButton: { label: 'x', behavior: 'y' },
        },
      },
      'behavior',
    ],
    [{ next: { trigger: 'manual', primary: { action: HOME } } }, 'label'],
    [{ next: { trigger: 'manual', primary: { label: 'x' } } }, 'action'],
    [{ next: { trigger: 'manual', options: {} } }, 'options'],
    [{ next: { trigger: 'manual', options: [STAY, null] } }, 'options'],
  ])('%j is refused with a sentence that names it', async (options, named) => {
    let thrown: unknown
    const app = await openEnd(() => {
      try {
        finishWf(options as FinishWfOpts)
      } catch (error) {
        thrown = error
        throw error
      }
    })
    expect((await app.end()).status).toBe(500)
    expect(thrown).toMatchObject({ code: 'WF_CONFIG', message: expect.stringContaining(named) })
  })
})

describe('point 2, a browser that navigates', () => {
  it.each<[string, WfNext]>([
    ['immediate', { trigger: 'immediate', action: HOME }],
    ['auto, which it cannot wait for', { trigger: 'auto', timeoutMs: 5000, action: HOME }],
  ])('is sent on: %s', async (_what, next) => {
    const app = await openEnd(() => finishWf({ next, message: MESSAGE }))
    const { status, headers } = await app.end(HTML)
    expect([status, headers.get('location')]).toEqual([303, '/home'])
  })

  it.each<[string, unknown]>([
    ['a choice', { trigger: 'manual', primary: { label: 'Home', action: HOME } }],
    ['a reload', { trigger: 'immediate', action: { type: 'reload' } }],
  ])('is not sent on by %s', async (_what, next) => {
    const app = await openEnd(() => finishWf({ next: next as WfNext }))
    const { status, headers } = await app.end(HTML)
    expect([status, headers.get('location')]).toEqual([200, null])
  })

  it.each<[string, unknown]>([
    ['a text', 'https://evil.example'],
    ['at once', { trigger: 'immediate', action: AWAY }],
    ['in a while', { trigger: 'auto', timeoutMs: 1, action: AWAY }],
    ['by what is no action', { trigger: 'immediate', action: 7 }],
    ['by what is no next', 7],
  ])('is not sent away by data that only looks like an end: %s', async (_what, next) => {
    const value = { finished: true, next }
    const app = await openEnd(() => useWfFinished().set({ type: 'data', value }))
    const { status, headers } = await app.end(HTML)
    expect([status, headers.get('location')]).toEqual([200, null])
  })
})

describe('point 2, a link that a person has confirmed', () => {
  it('ends at a page that says the sentence', async () => {
    const app = await openEnd(() => finishWf({ message: MESSAGE }), 'as', { resumeUrl: '/go-on' })
    const { headers, text } = await request(app.url, undefined, {
      rawBody: `wfs=${app.wfs}&confirm=1&name=Ada`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...HTML },
    })
    expect(headers.get('content-type')).toContain('text/html')
    expect(text).toContain(`<h1>${MESSAGE.text}</h1>`)
  })
})

describe('point 2, without the envelope', () => {
  it('a program that is to wait is told so, and is not sent on', async () => {
    const next: WfNext = { trigger: 'auto', timeoutMs: 5000, action: HOME }
    const app = await openEnd(() => finishWf({ next }), 'bare')
    const { status, body } = await app.end()
    expect([status, body]).toEqual([200, { finished: true, next }])
  })
})

describe('point 2, useWfFinished', () => {
  it('different on purpose: data stays under "data"', async () => {
    const app = await openEnd(() =>
      useWfFinished().set({ type: 'data', value: { ok: true, next: 'a field of its own' } }),
    )
    const { text } = await app.end()
    expect(text).toBe('{"finished":true,"data":{"ok":true,"next":"a field of its own"}}')
  })

  it('takes the public redirect, with a status, and cookies', async () => {
    const app = await openEnd(() =>
      useWfFinished().set({
        type: 'redirect',
        value: 'https://partner.example/welcome',
        status: 302,
        cookies: { session: { value: 'opaque', options: { httpOnly: true, maxAge: '1h' } } },
      }),
    )
    const { status, headers } = await app.end(HTML)
    expect([status, headers.get('location')]).toEqual([302, 'https://partner.example/welcome'])
    expect(headers.get('set-cookie')).toBe('session=opaque; HttpOnly; Max-Age=3600')
  })
})
