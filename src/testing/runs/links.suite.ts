import { expect, it } from 'vitest'
import { type OpenRunStore, runThatIs } from './opened-run-store'

const SEATS = ['ada@example.com', '__proto__', 'Ж, 会計 & "co"', '']
/** As many as a pause can ask. */
const MANY = 50

const newLink = (pause: number, more: object = {}) => ({
  hash: crypto.randomUUID(),
  audience: 'out-of-band' as const,
  pause,
  ...more,
})

export function describeRunLinks(open: OpenRunStore): void {
  it('keeps whose part a link answers, and of no other link that it answers one', async () => {
    const opened = await open()
    const { store } = opened
    const links = [...SEATS.map(seat => newLink(2, { seat })), newLink(2)]
    const { run } = await runThatIs(opened, 'paused', { links })
    for (const { hash, ...link } of links) {
      expect((await store.findByLink(hash))?.link).toMatchObject(link)
    }
    const kept = await store.links(run.flowId)
    expect(kept.map(({ seat }) => seat ?? null).toSorted()).toEqual([...SEATS, null].toSorted())
    expect((await store.findByLink(links.at(-1)!.hash))?.link.seat).toBeUndefined()
  })

  it('writes the links and the messages of all whom a pause asks at once, or nothing', async () => {
    const opened = await open()
    const { store } = opened
    const people = Array.from({ length: MANY }, (_, at) => `person-${at}@example.com`)
    const links = people.map(seat => newLink(3, { seat, recipient: seat, expiresAt: 1e12 }))
    const messages = store.outbox
      ? people.map(recipient => ({
          messageId: `msg_${crypto.randomUUID()}`,
          pause: 3,
          outlet: 'email',
          recipient,
          content: 'sealed '.repeat(100),
        }))
      : []
    const held = await runThatIs(opened, 'active')
    const { flowId } = held.run
    const events = [{ type: 'paused', to: 'paused' }] as const
    const change = { events, links, messages }
    // Another has written in between.
    await store.commit(held, { events: [{ type: 'step_started' }] })
    expect(await store.commit(held, change)).toBeNull()
    expect(await store.links(flowId)).toEqual([])
    const now = (await store.find(flowId))!
    expect(await store.commit({ run: now }, change)).not.toBeNull()
    const written = (await store.links(flowId)).map(({ seat, recipient }) => [seat, recipient])
    expect(new Map(written as [string, string][])).toEqual(new Map(people.map(one => [one, one])))
    expect(written).toHaveLength(MANY)
    const told = (await store.outbox?.of(flowId)) ?? []
    expect(told).toHaveLength(messages.length)
    expect((await store.findByLink(links[MANY - 1]!.hash))?.run.flowId).toBe(flowId)
  })

  it('lets the links of several pauses live longer, those of no other, and none of them shorter', async () => {
    const opened = await open()
    const { store } = opened
    const links = [
      newLink(2, { seat: 'ada', expiresAt: 5 }),
      newLink(2, { seat: 'bob', expiresAt: 7 }),
      newLink(3, { seat: 'bob', expiresAt: 5 }),
      newLink(4, { seat: 'cleo', expiresAt: 5 }),
      newLink(5, { seat: 'dan', expiresAt: 20 }),
      newLink(5, { seat: 'eve' }),
    ]
    const begun = await runThatIs(opened, 'paused', { links })
    const other = newLink(2, { expiresAt: 5 })
    await runThatIs(opened, 'paused', { links: [other] })
    const held = await store.commit(begun, {
      events: [{ type: 'extended' }],
      linksUntil: { pauses: [2, 4, 5, 9], expiresAt: 9 },
    })
    const ends = await Promise.all(
      [...links, other].map(async ({ hash }) => (await store.findByLink(hash))?.link.expiresAt),
    )
    expect(ends).toEqual([9, 9, 5, 9, 20, undefined, 5])
    expect(held).not.toBeNull()
  })
}
