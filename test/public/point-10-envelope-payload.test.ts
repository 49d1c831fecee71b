import { createAsHttpOutlet, outletHttp, Step, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { createWfClient } from '@atscript/moost-wf/client'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { openFormApp } from '../support/form-app'

const deliver = async (payload: unknown, context?: Record<string, unknown>) => {
  const result = await createAsHttpOutlet().deliver({ outlet: 'http', payload, context }, 'token')
  return result?.response
}

describe('point 10, createAsHttpOutlet', () => {
  it.each([
    [{ finished: true, data: 1 }],
    [{ finished: false }],
    [{ sent: true }],
    [{ outlet: 'sms' }],
    [{ error: 'Not now.' }],
    [{ error: { code: 'X' }, status: 409 }],
    [{ sent: true, outlet: 'email', finished: true }],
  ])('passes an envelope through: %j', async payload => {
    expect(await deliver(payload, { left: 2 })).toBe(payload)
  })

  it.each([
    [{ ask: 'name' }],
    [{ form: { error: 'inside' } }],
    [{ error: undefined, ask: 'name' }],
    [{ message: 'Done.' }],
    ['error'],
    [['finished']],
    [null],
    [undefined],
  ])('wraps everything else: %j', async payload => {
    expect(await deliver(payload, { left: 2 })).toEqual({
      inputRequired: { payload, transport: 'http', context: { left: 2 } },
    })
  })
})

describe('point 10, over the wire', () => {
  /** A step that says an error for itself, once, and then is done. */
  function openStubborn() {
    let times = 0

    @Controller('doors')
    class Doors {
      @Workflow('open')
      @WorkflowSchema(['knock'])
      open() {}

      @Step('knock')
      knock() {
        if (times++ === 0) return outletHttp({ ask: 'name' })
        if (times === 2) return outletHttp({ error: 'Knock again.' })
      }
    }
    return openFormApp(Doors)
  }

  it('the token of the pause comes along', async () => {
    const app = await openStubborn()
    const wfs = await app.start('doors/open')
    const { status, body } = await app.send({ wfs })
    expect([status, body]).toEqual([200, { error: 'Knock again.', wfs: expect.any(String) }])
    expect((await app.send({ wfs: body.wfs })).body).toEqual({ finished: true })
  })

  it('our client goes on with it', async () => {
    const app = await openStubborn()
    const client = createWfClient({ path: `${app.url}/wf`, name: 'doors/open', storage: null })
    await client.start()
    expect((await client.submit({})).error?.code).toBe('WF_BAD_ANSWER')
    expect((await client.submit({})).finished).toBe(true)
  })
})
