import { describe, expect, inject, it } from 'vitest'
import { orderApp } from '../inside/the-order-app'

const name = inject('name')
const given = Object.entries(inject('gifts')).flatMap(([runtime, { orders }]) =>
  (orders[name] ?? []).map(order => ({ runtime, ...order })),
)

describe('an order', () => {
  it.each(given)('begun on $runtime and kept by $kept is finished here, once', async order => {
    const app = orderApp()
    const before = await app.countCompleted()
    const finished = await app.post({ wfs: order.wfs, input: { name: 'Ada' } })
    expect(finished).toMatchObject({ finished: true, data: 'One flat white for Ada' })
    expect(await app.countCompleted()).toBe(before + (order.kept === 'durable' ? 1 : 0))
    const again = await app.post({ wfs: order.wfs, input: { name: 'Eve' } })
    // Without a replay guard a token is the state, and nothing knows that it was used.
    expect(again.status).toBe(order.kept === 'token' ? 200 : 410)
  })

  it('is given, or nothing of this would be tested', () => {
    expect(given.length).toBeGreaterThan(0)
  })
})
