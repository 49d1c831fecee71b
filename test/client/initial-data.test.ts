import { outletHttp, serializeFormSchema } from '@atscript/moost-wf'
import { createWfClient } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { openShop } from '../support/shop'
import { answering } from './browser'

type Field = [designType: string, metadata?: Record<string, unknown>, more?: object]

async function startWith(fields: Record<string, Field>, context: object = {}) {
  const props = Object.fromEntries(
    Object.entries(fields).map(([name, [designType, metadata = {}, more]]) => [
      name,
      { type: { kind: '', designType }, metadata, ...more },
    ]),
  )
  const payload = { type: { kind: 'object', props }, metadata: {} }
  const fetch = answering(JSON.stringify({ inputRequired: { payload, context }, wfs: 'a.b' }))
  return (await createWfClient({ path: '/wf', name: 'x', fetch }).start()).data
}

describe('a form starts', () => {
  it('with what the server passes under the names of its fields', async () => {
    const data = await startWith(
      { email: ['string'], seats: ['number'] },
      { email: 'a@b', left: 3 },
    )
    expect(data).toEqual({ email: 'a@b' })
  })

  it('with its defaults, which are JSON unless the field is a text', async () => {
    const data = await startWith({
      country: ['string', { 'meta.default': '41' }],
      seats: ['number', { 'meta.default': '2' }],
      home: ['unknown', { 'meta.default': '{"zip":"8000"}' }],
      speed: ['union', { 'meta.default': 'slow' }],
      none: ['number'],
    })
    expect(data).toEqual({ country: '41', seats: 2, home: { zip: '8000' }, speed: 'slow' })
  })

  it('with what is passed rather than with the default', async () => {
    const data = await startWith({ seats: ['number', { 'meta.default': '2' }] }, { seats: 0 })
    expect(data).toEqual({ seats: 0 })
  })

  it('with boxes that nobody has ticked', async () => {
    const data = await startWith({
      news: ['boolean'],
      ok: ['boolean', { 'meta.default': 'true' }],
      maybe: ['boolean', {}, { optional: true }],
    })
    expect(data).toEqual({ news: false, ok: true })
  })

  it('without secrets, whatever is passed', async () => {
    const fields: Record<string, Field> = {
      password: ['string', { 'ui.form.type': 'password', 'meta.default': 'x' }],
      pin: ['string', { 'meta.sensitive': true }],
      code: ['string', { 'ui.form.type': 'code' }],
      otp: ['string', { 'ui.form.autocomplete': 'one-time-code' }],
    }
    expect(await startWith(fields, { password: 'x', pin: '1', code: '2', otp: '3' })).toEqual({})
  })

  it('without buttons and phantoms', async () => {
    const fields: Record<string, Field> = {
      resend: ['boolean', { 'ui.form.action': { id: 'resend' } }],
      title: ['phantom'],
    }
    expect(await startWith(fields, { resend: true, title: 'x' })).toEqual({})
  })

  it('with nothing that every object has', async () => {
    const fields = Object.fromEntries<Field>([
      ['toString', ['string']],
      ['valueOf', ['string']],
    ])
    expect(await startWith(fields)).toEqual({})
  })

  it('over the wire', async () => {
    const shop = await openShop()
    shop.onName = () =>
      outletHttp(serializeFormSchema(LoginForm), {
        tenant: 'acme',
        email: 'ada@example.com',
        password: 'leaked',
        device: 'laptop',
      })
    const client = createWfClient({ path: `${shop.url}/wf`, name: 'shop/order' })
    const { data, context } = await client.start()
    expect(data).toEqual({ email: 'ada@example.com', device: 'laptop' })
    expect(context.tenant).toBe('acme')
  })
})
