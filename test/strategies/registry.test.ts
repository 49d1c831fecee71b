import {
  defineOutletConfig,
  HandleStateStrategy,
  type WfOutletConfig,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { StrategyRegistry } from '../../src/strategies/registry/strategy-registry'

const handle = () => new HandleStateStrategy({ store: new WfStateStoreMemory() })
const configError = expect.objectContaining({ code: 'WF_CONFIG' })

describe('the registry', () => {
  it('calls a single strategy "default"', () => {
    const registry = new StrategyRegistry(handle())
    expect(registry.forWorkflow('any').name).toBe('default')
  })

  it('picks by name and by workflow', () => {
    const strategies = { a: handle(), b: handle() }
    expect(new StrategyRegistry({ strategies, default: 'b' }).forWorkflow('x').name).toBe('b')
    const registry = new StrategyRegistry({
      strategies,
      default: wfid => (wfid === 'users/invite' ? 'a' : 'b'),
    })
    expect(registry.forWorkflow('users/invite').strategy).toBe(strategies.a)
    expect(registry.forWorkflow('auth/login').strategy).toBe(strategies.b)
  })

  it('finds the strategy that wrote a token, by the text before the first dot', () => {
    const registry = new StrategyRegistry({ strategies: { 'a-1_B': handle() }, default: 'a-1_B' })
    expect(registry.forToken('a-1_B.x.y.z')).toMatchObject({ name: 'a-1_B', raw: 'x.y.z' })
  })

  it.each(['', '.', 'a', 'a.', '.x', 'b.x', 'toString.x', '__proto__.x', ' a.x'])(
    'finds none for %j',
    token => {
      const registry = new StrategyRegistry({ strategies: { a: handle() }, default: 'a' })
      expect(registry.forToken(token)).toBeNull()
    },
  )

  const wrong: [string, unknown][] = [
    ['the removed function form', () => handle()],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'handle'],
    ['a name with a dot', { strategies: { 'a.b': handle() }, default: 'a.b' }],
    ['an empty name', { strategies: { '': handle() }, default: '' }],
    ['no strategies', { strategies: {}, default: 'a' }],
    ['a default that is not there', { strategies: { a: handle() }, default: 'b' }],
    ['a default from the prototype', { strategies: { a: handle() }, default: 'toString' }],
    ['no default', { strategies: { a: handle() } }],
    [
      'a strategy without consume',
      { strategies: { a: { persist() {}, retrieve() {} } }, default: 'a' },
    ],
    ['a strategy that is null', { strategies: { a: null }, default: 'a' }],
  ]
  it.each(wrong)('refuses %s', (_title, state) => {
    expect(() => new StrategyRegistry(state as never)).toThrow(configError)
  })

  it('tells the user of the removed form what to write', () => {
    expect(() => new StrategyRegistry((() => handle()) as never)).toThrow(/strategies: \{/u)
  })

  it('refuses an overflow that is not there', () => {
    const option = { strategies: { a: handle() }, default: 'a' as const, overflow: 'b' as 'a' }
    expect(() => new StrategyRegistry(option)).toThrow(configError)
  })

  it('says so when a default function names none', () => {
    const registry = new StrategyRegistry({
      strategies: { a: handle() },
      default: () => 'z' as 'a',
    })
    expect(() => registry.forWorkflow('x')).toThrow(/no state strategy "z"; there is: a/u)
  })
})

describe('defineOutletConfig', () => {
  it('types the names of the strategies', () => {
    const config = defineOutletConfig({
      state: { strategies: { one: handle(), two: handle() }, default: 'one' },
    })
    expectTypeOf(config).toEqualTypeOf<WfOutletConfig<'one' | 'two'>>()
    expect(() =>
      // @ts-expect-error there is no strategy of that name
      defineOutletConfig({ state: { strategies: { one: handle() }, default: 'three' } }),
    ).toThrow(configError)
  })

  const wrong: [string, Partial<WfOutletConfig>][] = [
    ['an outlet without deliver', { outlets: [{ name: 'x' }] as never }],
    [
      'two outlets of one name',
      { outlets: [0, 1].map(() => ({ name: 'x', deliver: async () => {} })) },
    ],
    ['an unknown token source', { token: { read: ['header' as never] } }],
    ['no token source', { token: { read: [] } }],
    ['an unknown way to write', { token: { write: 'header' as never } }],
    ['a cookie that every site gets', { token: { cookie: { sameSite: 'None' as never } } }],
    ['a cookie name with a space', { token: { cookie: { name: 'a b' } } }],
    ['an origin that is none', { origins: ['app.example.com'] }],
    ['a public URL that is none', { publicUrl: 'localhost' }],
    ['a lifetime of 0', { maxLifetime: 0 }],
    ['a lifetime of NaN', { maxLifetime: NaN }],
    ['a body limit below 0', { maxBodyBytes: -1 }],
    ['a cookie that is never read', { token: { write: 'cookie', read: ['body'] } }],
    ['a token name that is taken', { token: { name: 'input' } }],
    ['one name for two fields', { wfidName: 'wfs' }],
    ['a name that is none', { wfidName: 7 as never }],
    ['a cookie path that ends early', { token: { cookie: { path: '/; Domain=x' } } }],
    ['a cookie domain with a line break', { token: { cookie: { domain: 'a\r\nb' } } }],
    ['a hook that is none', { onReject: 7 as never }],
    ['a clock that is none', { clock: {} as never }],
    ['allow that is no list', { allow: 'auth/login' as never }],
    ['block with something else', { block: [7 as never] }],
  ]
  it.each(wrong)('refuses %s when the application starts', (_title, overrides) => {
    expect(() => defineOutletConfig({ state: handle(), ...overrides })).toThrow(configError)
  })
})
