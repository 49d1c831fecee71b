import { HandleStateStrategy, type WfState } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { readFile } from '../support/project'
import { openShop } from '../support/shop'

interface Golden {
  readonly token: string
  readonly handle: string
  readonly state: WfState
}

/**
 * States as they have been stored: by the first version with all notes side by side, and in three
 * records since. Every later version must go on with them.
 */
const goldens = ['v1', 'v2'].flatMap(version =>
  Object.entries(
    JSON.parse(readFile(`test/fixtures/states/${version}.json`).text) as Record<string, Golden>,
  ).map(([kind, golden]) => [kind, version, golden] as const),
)

describe('a state that an earlier version has stored', () => {
  it.each(goldens)('is gone on with: %s, %s', async (kind, _version, { token, handle, state }) => {
    const shop = await openShop()
    const stable = kind === 'stable'
    shop.config = { ...shop.config, state: new HandleStateStrategy({ store: shop.store, stable }) }
    await shop.store.set(handle, state)
    const { body } = await shop.send({ wfs: token, input: { address: 'Here' } })
    expect(body).toEqual({ finished: true, data: { name: 'Ada', address: 'Here' } })
  })
})
