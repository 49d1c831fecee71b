import { createWfClient, type WfClientState } from '@atscript/moost-wf/client'
import { describe, expect, it, vi } from 'vitest'
import { openShop } from '../support/shop'

const idle = () => createWfClient({ path: '/wf', name: 'shop/order' })

describe('subscribe', () => {
  it('tells at once, and of each change with a new snapshot', async () => {
    const shop = await openShop()
    const client = createWfClient({ path: `${shop.url}/wf`, name: 'shop/order' })
    const seen: WfClientState[] = []
    const end = client.subscribe(state => void seen.push(state))
    expect(seen).toEqual([client.state])
    await client.start()
    expect(seen.map(({ loading }) => loading)).toEqual([false, true, false])
    expect(new Set(seen).size).toBe(3)
    expect(seen.at(-1)).toBe(client.state)
    end()
    client.update({ name: 'Ada' })
    expect(seen).toHaveLength(3)
    expect(seen.at(-1)?.data).toEqual({})
  })

  it('counts a listener as often as it subscribes', () => {
    const client = idle()
    const listener = vi.fn()
    const end = client.subscribe(listener)
    client.subscribe(listener)
    listener.mockClear()
    end()
    end()
    client.update({})
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('keeps on telling the others when one throws', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const client = idle()
    const seen: unknown[] = []
    const failure = new Error('a listener')
    const throwing = () => {
      throw failure
    }
    expect(client.subscribe(throwing)).toBeTypeOf('function')
    client.subscribe(({ data }) => void seen.push(data))
    client.update({ name: 'Ada' })
    expect(seen).toEqual([{}, { name: 'Ada' }])
    expect(logged).toHaveBeenCalledWith(failure)
    logged.mockRestore()
  })

  it('tells everyone the newest state, even when a listener changes it', () => {
    const client = idle()
    client.subscribe(({ data }) => {
      if (data.step === 1) client.update({ step: 2 })
    })
    const seen: unknown[] = []
    client.subscribe(({ data }) => void seen.push(data.step))
    client.update({ step: 1 })
    expect(seen).toEqual([undefined, 2, 2])
  })

  it('lets a listener leave while it is told', () => {
    const client = idle()
    const seen: string[] = []
    let end = () => {}
    end = client.subscribe(({ data }) => {
      seen.push('first')
      if (data.done) end()
    })
    client.subscribe(() => void seen.push('second'))
    client.update({ done: true })
    client.update({ done: true })
    expect(seen).toEqual(['first', 'second', 'first', 'second', 'second'])
  })

  it('needs no `this`, and neither does anything else', async () => {
    const shop = await openShop()
    const { subscribe, start, submit } = createWfClient({
      path: `${shop.url}/wf`,
      name: 'shop/gift',
    })
    subscribe(() => {})
    await start()
    expect((await submit({ name: 'Ada' })).finished).toBe(true)
  })
})
