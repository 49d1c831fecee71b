import { current, key } from '@wooksjs/event-core'
import type { WfTriggerDeps } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { afterAll, describe, expect, it, vi } from 'vitest'

const finishedKey = key<object>('wf.finished')

/** `useWfFinished` of the public package: it keeps what it is told in the event, under a key of its own. */
const publicUseWfFinished = () => ({
  set: (response: object) => current().set(finishedKey, response),
  get: () => (current().has(finishedKey) ? current().get(finishedKey) : undefined),
})

/** The application, loaded anew beside a newer version of the package that has the function. */
async function openLogin() {
  vi.resetModules()
  vi.doMock('@wooksjs/event-wf', async importActual => ({
    ...(await importActual<object>()),
    useWfFinished: publicUseWfFinished,
  }))
  const ours = await import('@atscript/moost-wf')
  const { Post } = await import('@atscript/moost-wf/http')
  const { startApp } = await import('../support/moost-app')
  const { HandleStateStrategy, MoostWf, Step, WfStateStoreMemory, Workflow, WorkflowSchema } = ours
  const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })

  @Controller('auth')
  class Login {
    @Workflow('login')
    @WorkflowSchema(['enter', 'after'])
    login() {}

    @Step('enter')
    enter() {
      publicUseWfFinished().set({
        type: 'data',
        value: { welcome: true },
        cookies: { session: { value: 'opaque', options: { httpOnly: true } } },
      })
    }

    @Step('after')
    after() {}
  }

  let wf: InstanceType<typeof MoostWf>
  // As the public docs write it: what else the trigger hands over is dropped.
  const byHand: WfTriggerDeps = {
    start: (id, ctx, { input, eventContext }) => wf.start(id, ctx, { input, eventContext }),
    resume: (state, { input, eventContext }) => wf.resume(state, { input, eventContext }),
  }

  @Controller()
  class Endpoint {
    @Post('direct')
    direct() {
      return ours.handleAsOutletRequest({ state }, wf)
    }

    @Post('by-hand')
    byHand() {
      return ours.handleAsOutletRequest({ state }, byHand)
    }
  }
  const app = await startApp([Login, Endpoint])
  wf = app.wf
  return app
}

describe('useWfFinished of the public package', () => {
  afterAll(() => {
    vi.doUnmock('@wooksjs/event-wf')
    vi.resetModules()
  })

  it.each(['direct', 'by-hand'])(
    'is heard: data and cookies of a login arrive (%s)',
    async path => {
      const { url } = await openLogin()
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ wfid: 'auth/login' })
      const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body })
      expect(await answer.json()).toEqual({ finished: true, data: { welcome: true } })
      expect(answer.headers.get('set-cookie')).toMatch(/^session=opaque;.*HttpOnly/u)
    },
  )
})
