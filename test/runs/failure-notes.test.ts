import { DurableStateStrategy } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { openOutboxApp } from '../support/outbox-app'

/** What the history tells of an error that a step has thrown, beside its code. */
async function toldOf(error: unknown, errorMessages?: boolean, context: object = {}) {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  const app = await openOutboxApp({ clock, runs }, { strategy: { errorMessages } })
  app.deeds.work = () => {
    throw error
  }
  const ask = app.deeds.ask!
  app.deeds.ask = (ctx, input) => {
    Object.assign(ctx, context)
    return ask(ctx, input)
  }
  const { flowId } = await app.start()
  await app.wait(0)
  await expect(app.answer(app.attempts[0]!.token)).rejects.toThrow()
  const failed = (await app.api.history(flowId)).filter(({ type }) => type === 'step_failed')
  expect(failed).toHaveLength(1)
  const { code, error: told, causes } = failed[0]!.detail
  expect(code).toBe('WF_INTERNAL')
  // What the row tells is a code, as ever.
  expect((await app.api.get(flowId))?.lastError).not.toHaveProperty('message')
  return { told, causes }
}

const refused = Object.assign(new Error('connect to 10.0.0.7'), { code: 'ECONNREFUSED' })
const thrown = new TypeError('no more stamps', { cause: refused })

describe('the history of a step that has failed', () => {
  it('tells the names and the codes of its error and of the causes, and not what they say', async () => {
    expect(await toldOf(thrown)).toEqual({
      told: { name: 'TypeError' },
      causes: [{ name: 'Error [ECONNREFUSED]' }],
    })
  })

  it('tells what they say where that is asked for', async () => {
    expect(await toldOf(thrown, true)).toEqual({
      told: { name: 'TypeError', message: 'no more stamps' },
      causes: [{ name: 'Error [ECONNREFUSED]', message: 'connect to 10.0.0.7' }],
    })
  })

  it('tells no secret of the context that a message quotes', async () => {
    const secret = { login: { password: 'hunter2-hunter2', pins: [471_100] }, name: 'Ada' }
    const error = new Error('Ada: hunter2-hunter2 is not 471100')
    expect(await toldOf(error, true, secret)).toMatchObject({
      told: { message: 'Ada: ••• is not •••' },
    })
  })

  it('has an end, also where errors are the causes of one another', async () => {
    const error: Error = new Error('x'.repeat(499) + '😀😀')
    error.cause = new AggregateError([error], 'many')
    const { told, causes } = await toldOf(error, true)
    expect((told as { message: string }).message).toBe(`${'x'.repeat(499)}…`)
    expect(causes).toHaveLength(5)
  })

  it.each([
    ['a text', 'oh', { name: 'string' }],
    ['what cannot be kept', new Error('a\u0000'), { name: 'Error' }],
    [
      'a name that cannot',
      Object.assign(new Error('b'), { name: '\uD800' }),
      { name: 'Error', message: 'b' },
    ],
    [
      'a code that is none',
      Object.assign(new Error('c'), { code: 'hunter2' }),
      { name: 'Error', message: 'c' },
    ],
  ])('is whole for %s', async (_what, error, told) => {
    expect(await toldOf(error, true)).toEqual({ told, causes: undefined })
  })

  it('is asked for by true or false', () => {
    const runs = new WfRunStoreMemory()
    const make = () => new DurableStateStrategy({ runs, errorMessages: 'yes' as never })
    expect(make).toThrow(/errorMessages/u)
  })
})
