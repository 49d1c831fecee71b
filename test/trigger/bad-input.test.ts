import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openShop, type SendOptions } from '../support/shop'

/** 300 MB in 662 bytes. */
const BOMB = gzipSync(gzipSync(Buffer.alloc(300 * 2 ** 20)))
const bombHeaders = { 'content-encoding': 'toString, gzip, gzip' }

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const json = (rawBody: string): SendOptions => ({ rawBody })
const form = (rawBody: string): SendOptions => ({
  rawBody,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const start = (input: string) => json(`{"wfid":"shop/order","input":${input}}`)

const cases: [title: string, options: SendOptions, status: number][] = [
  ['no body', { rawBody: '' }, 400],
  ['an empty object', json('{}'), 400],
  ['white space', json('  \n'), 400],
  ['broken JSON', json('{"wfid": "shop/order"'), 400],
  ['an array', json('[]'), 400],
  ['a string', json('"shop/order"'), 400],
  ['null', json('null'), 400],
  ['a number', json('1e999'), 400],
  ['bytes that are no UTF-8', { rawBody: Buffer.from('{"wfid":"\xff"}', 'latin1') }, 400],
  ['a body of another type', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ['a body without a type', { rawBody: '{}', headers: { 'content-type': '' } }, 415],
  ['an unknown encoding', { rawBody: 'x', headers: { 'content-encoding': 'rot13' } }, 415],
  ['a broken encoding', { rawBody: 'x', headers: { 'content-encoding': 'gzip' } }, 400],
  ['an encoding from the prototype', { rawBody: BOMB, headers: bombHeaders }, 415],
  ['encodings on end', { rawBody: 'x', headers: { 'content-encoding': 'gzip,gzip,gzip' } }, 415],
  ['a bomb', { rawBody: BOMB, headers: { 'content-encoding': 'gzip, gzip' } }, 413],
  [
    'a form of 20,000 fields',
    form(`wfid=shop/order&${Array.from({ length: 20_000 }, (_, i) => `k${i}`).join('&')}`),
    400,
  ],
  ['a body over the limit', json(`{"wfid":"${'x'.repeat(2 ** 20)}"}`), 413],
  ['wfs as a number', json('{"wfs":1}'), 410],
  ['wfs as an object', json('{"wfs":{"toString":"x"}}'), 410],
  ['wfs as an array', json('{"wfs":["default.x"]}'), 410],
  ['wfs as a boolean', json('{"wfs":false}'), 410],
  ['an empty wfs', json('{"wfs":""}'), 410],
  ['a 10 MB wfs', json(`{"wfs":"default.${'x'.repeat(10 * 2 ** 20)}"}`), 413],
  ['a wfs of nearly the limit', json(`{"wfs":"default.${'x'.repeat(2 ** 20 - 100)}"}`), 410],
  ['a wfs of dots', json(`{"wfs":"${'.'.repeat(2 ** 20 - 100)}"}`), 410],
  ['a wfs with NUL', json('{"wfs":"default.\\u0000"}'), 400],
  ['a wfs that names __proto__', json('{"wfs":"__proto__.x"}'), 410],
  ['a wfs that names constructor', json('{"wfs":"constructor.x"}'), 410],
  ['a null wfs is none', json('{"wfs":null}'), 400],
  ['a duplicate wfs in a form', form('wfs=a.b&wfs=c.d'), 410],
  ['wfid as a number', json('{"wfid":1}'), 400],
  ['wfid as an object', json('{"wfid":{}}'), 400],
  ['an empty wfid', json('{"wfid":""}'), 400],
  ['wfid "/"', json('{"wfid":"/"}'), 400],
  ['an unknown wfid', json('{"wfid":"nope"}'), 404],
  ['wfid with ../', json('{"wfid":"../shop/order"}'), 404],
  ['wfid with ../ inside', json('{"wfid":"shop/x/../order"}'), 404],
  ['wfid percent-encoded', json('{"wfid":"shop%2Forder"}'), 404],
  ['wfid with unicode', json('{"wfid":"shop/оrder"}'), 404],
  ['wfid with a lone surrogate', json('{"wfid":"shop/\\ud800"}'), 400],
  ['wfid __proto__', json('{"wfid":"__proto__"}'), 404],
  ['wfid with NUL', json('{"wfid":"shop/order\\u0000"}'), 400],
  ['a wfid of a megabyte', json(`{"wfid":"${'a/'.repeat(2 ** 19 - 50)}"}`), 404],
  ['a wfid that is not allowed', json('{"wfid":"shop/hidden"}'), 403],
  ['a blocked wfid in disguise', json('{"wfid":"//shop//blocked/"}'), 403],
  ['a duplicate wfid in a form', form('wfid=shop/order&wfid=shop/gift'), 400],
  ['action as an object', json('{"wfid":"shop/order","action":{}}'), 400],
  ['__proto__ in the input', start('{"__proto__":{"polluted":1}}'), 400],
  ['__proto__ deep in the input', start('{"a":[{"b":{"__proto__":1}}]}'), 400],
  ['constructor in the input', start('{"constructor":{"prototype":{"polluted":1}}}'), 400],
  ['prototype in the input', start('{"prototype":1}'), 400],
  ['__proto__ at the top', json('{"__proto__":{"wfid":"shop/order"}}'), 400],
  ['__proto__ in a form', form('wfid=shop/order&__proto__=1'), 400],
  ['NUL in the input', start('{"name":"a\\u0000"}'), 400],
  ['a lone surrogate deep in the input', start('[[{"a":["\\udc00"]}]]'), 400],
  ['NUL in a key of the input', start('{"a\\u0000":1}'), 400],
  ['NUL beside the input', json('{"wfid":"shop/order","x":[{"y":"\\u0000"}]}'), 400],
  ['NUL in a form', form('wfid=shop/order&name=a%00'), 400],
  ['NUL in the name of a field of a form', form('wfid=shop/order&a%00=a'), 400],
  ['a character of two halves', start('{"name":"\\ud83d\\ude00"}'), 200],
  ['nesting that overflows a stack', start(deep(200_000)), 400],
  ['nesting over the limit', start(deep(70)), 400],
  ['nesting under the limit', start(deep(20)), 200],
  ['input that is a number', start('7'), 200],
  ['input that is null', start('null'), 200],
  ['a broken cookie', { rawBody: '{"wfid":"shop/order"}', cookie: 'wfs=%E0%A4%A' }, 200],
  ['a foreign Origin', { rawBody: '{}', headers: { origin: 'https://evil.example' } }, 403],
  ['Origin: null', { rawBody: '{}', headers: { origin: 'null' } }, 403],
  ['a garbled Origin', { rawBody: '{}', headers: { origin: 'http://[' } }, 403],
]

describe('bad input', () => {
  it.each(cases)('%s → %3$i', async (_title, options, status) => {
    const shop = await openShop()
    const answer = await shop.send(null, options)
    expect(answer.status).toBe(status)
    if (status >= 400) expect(answer.body.message).toBeTypeOf('string')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect((await shop.send({ wfid: 'shop/order' })).status).toBe(200)
  })

  it('is answered without quoting it', async () => {
    const shop = await openShop()
    const answer = await shop.send(null, json('{"password":"hunter2"'))
    expect(answer.text).not.toContain('hunter2')
  })
})
