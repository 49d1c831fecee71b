import { HandleStateStrategy, type WfState } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { readFile } from '../support/project'
import { openShop } from '../support/shop'

interface Golden {
  readonly token: string
  readonly handle: string
  readonly state: WfState
}

/** States as the first version has stored them. Every later version must go on with them. */
const goldens = Object.entries(
  JSON.parse(readFile('test/fixtures/states/v1.json').text) as Record<string, Golden>,
)

describe('a state that an earlier version has stored', () => {
  it.each(goldens)('is gone on with: %s', async (kind, { token, handle, state }) => {
    const shop = await openShop()
    const stable = kind === 'stable'
    shop.config = { ...shop.config, state: new HandleStateStrategy({ store: shop.store, stable }) }
    await shop.store.set(handle, state)
    const { body } = await shop.send({ wfs: token, input: { address: 'Here' } })
    expect(body).toEqual({ finished: true, data: { name: 'Ada', address: 'Here' } })
  })
})
