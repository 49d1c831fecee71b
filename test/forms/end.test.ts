import {
  abortWf,
  finishWf,
  isLocalPath,
  Step,
  useWfFinished,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { FinishWfOptions } from '@atscript/moost-wf/forms'
import { isWfFinished } from '@atscript/moost-wf/run'
import { useResponse } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { describe, expect, it, vi } from 'vitest'
import { openFormApp } from '../support/form-app'

/** An application whose workflow `end/now` runs `first` and then `second`. */
function openEnd(
  first: () => unknown,
  second: () => unknown = () => undefined,
  onFinished = vi.fn(),
) {
  @Controller('end')
  class End {
    @Workflow('now')
    @WorkflowSchema(['ask', 'first', 'second'])
    now() {}

    @Step('ask')
    ask() {
      return asked++ === 0 ? { inputRequired: { outlet: 'http' } } : undefined
    }

    @Step('first')
    first() {
      return first()
    }

    @Step('second')
    second() {
      return second()
    }
  }
  let asked = 0
  return openFormApp(End, { onFinished })
}

const HTML = { accept: 'text/html,*/*' }

describe('finishWf', () => {
  it.each<[FinishWfOptions | undefined, string]>([
    [undefined, '{"finished":true}'],
    [{}, '{"finished":true}'],
    [{ data: { id: 1 } }, '{"finished":true,"data":{"id":1}}'],
    [{ message: 'Done.' }, '{"finished":true,"message":"Done."}'],
    [{ next: '/home' }, '{"finished":true,"next":"/home"}'],
    [
      { next: '/home?a=1#b', message: 'Done.', data: [1] },
      '{"finished":true,"data":[1],"message":"Done.","next":"/home?a=1#b"}',
    ],
  ])('answers %j, byte for byte', async (options, text) => {
    const app = await openEnd(() => finishWf(options))
    const answer = await app.send({ wfs: await app.start('end/now') })
    expect([answer.status, answer.text]).toEqual([200, text])
  })

  it('sends a browser that navigates to the next page, with its cookies', async () => {
    const cookies = { session: { value: 'opaque' } }
    const app = await openEnd(() => finishWf({ next: '/home', data: 1, cookies }))
    const { status, headers } = await app.send({ wfs: await app.start('end/now') }, HTML)
    expect([status, headers.get('location')]).toEqual([303, '/home'])
    expect(headers.get('set-cookie')).toContain('session=opaque')
  })

  it('is not taken from data that only looks like an end', async () => {
    const value = { finished: true, next: 'https://evil.example' }
    const app = await openEnd(() => useWfFinished().set({ type: 'data', value }))
    const { status, headers } = await app.send({ wfs: await app.start('end/now') }, HTML)
    expect([status, headers.get('location')]).toEqual([200, null])
  })

  it('does not skip the steps that follow, and the last call counts', async () => {
    const app = await openEnd(
      () => finishWf({ message: 'first' }),
      () => finishWf({ message: 'second' }),
    )
    const { body } = await app.send({ wfs: await app.start('end/now') })
    expect(body).toEqual({ finished: true, message: 'second' })
  })

  it('leaves the workflow as it was when it would lead to another site', async () => {
    let next = '//evil.example'
    const app = await openEnd(() => finishWf({ next }))
    const wfs = await app.start('end/now')
    const { status, text } = await app.send({ wfs })
    expect(status).toBe(500)
    expect(text).not.toContain('evil')
    next = '/home'
    expect((await app.send({ wfs })).body).toEqual({ finished: true, next: '/home' })
  })
})

describe('abortWf', () => {
  it('ends the workflow there: nothing behind it runs, and the token is dead', async () => {
    const second = vi.fn()
    const behind = vi.fn()
    const onFinished = vi.fn()
    const first = () => {
      useResponse().setCookie('session', 'set-too-early').setHeader('set-cookie', 'other=early')
      useWfFinished().set({ type: 'data', value: 'welcome', cookies: { s: { value: '1' } } })
      abortWf('too-many-codes', { message: 'Too many wrong codes.', next: '/login' })
      behind()
    }
    const app = await openEnd(first, second, onFinished)
    const wfs = await app.start('end/now')
    const answer = await app.send({ wfs })
    expect(answer.text).toBe(
      '{"finished":true,"message":"Too many wrong codes.","next":"/login","aborted":true,"reason":"too-many-codes"}',
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    for (const call of [second, behind, onFinished]) expect(call).not.toHaveBeenCalled()
    expect((await app.send({ wfs })).status).toBe(410)
    expect(app.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('sends a browser that navigates where it says', async () => {
    const app = await openEnd(() => abortWf('locked', { next: '/locked' }))
    const { status, headers } = await app.send({ wfs: await app.start('end/now') }, HTML)
    expect([status, headers.get('location')]).toEqual([303, '/locked'])
  })

  it('can end the request that starts the workflow', async () => {
    @Controller('end')
    class End {
      @Workflow('now')
      @WorkflowSchema(['first'])
      now() {}

      @Step('first')
      first() {
        abortWf('closed', { data: { opens: 'tomorrow' } })
      }
    }
    const app = await openFormApp(End)
    expect((await app.send({ wfid: 'end/now' })).body).toEqual({
      finished: true,
      aborted: true,
      reason: 'closed',
      data: { opens: 'tomorrow' },
    })
  })
})

describe('isLocalPath', () => {
  it.each(['/', '/home', '/a/b?c=//d#e', '/a%2F%2Fb', '/Łódź', '/@evil.example', '/a:b'])(
    'takes %s',
    path => expect(isLocalPath(path)).toBe(true),
  )

  it.each([
    '',
    'home',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /home',
    '/a\r\nset-cookie: x=1',
    '/\u0000',
    '?next=/',
    '#x',
    undefined,
    null,
    7,
    ['/home'],
    { toString: () => '/home' },
  ])('refuses %j', path => expect(isLocalPath(path)).toBe(false))
})

describe('isWfFinished', () => {
  it.each([{ finished: true }, { finished: true, aborted: true, reason: 'x' }])('knows %j', end =>
    expect(isWfFinished(end)).toBe(true),
  )

  it.each([{ finished: 'true' }, { finished: false }, {}, [], null, undefined, 'finished', true])(
    'does not take %j for one',
    value => expect(isWfFinished(value)).toBe(false),
  )
})
