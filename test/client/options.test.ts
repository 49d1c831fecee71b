import { createWfClient, type WfClientOptions } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'

const right: WfClientOptions = { path: '/wf', name: 'auth/login' }

describe('options', () => {
  it.each([
    ['path', undefined],
    ['path', ''],
    ['path', new URL('https://shop.example/wf')],
    ['name', undefined],
    ['name', ''],
    ['name', 7],
    ['tokenTransport', 'header'],
    ['tokenTransport', ''],
    ['tokenTransport', null],
    ['tokenName', ''],
    ['tokenName', 7],
    ['wfidName', ''],
    ['initialToken', ''],
    ['initialToken', null],
    ['initialToken', {}],
    ['fetch', 'fetch'],
    ['fetch', null],
    ['storage', {}],
    ['storage', 'sessionStorage'],
  ])('are refused by name: %s = %j', (option, value) => {
    const options = { ...right, [option]: value } as WfClientOptions
    expect(() => createWfClient(options)).toThrow(new TypeError(`The option ${option} is wrong.`))
  })

  it('are refused when there are none', () => {
    const create = createWfClient as (options?: unknown) => unknown
    expect(() => create()).toThrow(TypeError)
    expect(() => create(null)).toThrow(TypeError)
  })

  it('know that a script cannot write the cookie', () => {
    const options = { ...right, tokenTransport: 'cookie', initialToken: 'a.b' } as const
    expect(() => createWfClient(options)).toThrow('The option initialToken is wrong.')
  })

  it('may be undefined where they may be left out', () => {
    const { tokenTransport, tokenName, wfidName, initialToken, fetch, storage } = right
    const options = { ...right, tokenTransport, tokenName, wfidName, initialToken, fetch, storage }
    expect(() => createWfClient(options)).not.toThrow()
  })
})

describe('before there is a form', () => {
  it('there is nothing to send', () => {
    const client = createWfClient(right)
    expect(() => client.submit({})).toThrow(new TypeError('There is no form to send.'))
    expect(() => client.action('resend')).toThrow(TypeError)
  })
})
