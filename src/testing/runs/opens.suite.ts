import { expect } from 'vitest'
import { casesUnless } from '../excused-cases'
import { allOf, type OpenRunStore, type RunStoreLacks, runThatIs } from './opened-run-store'

const link = (hash: string) => ({ hash, audience: 'out-of-band', pause: 2 }) as const

export function describeOpenedLinks(open: OpenRunStore, lacks: RunStoreLacks): void {
  const unless = casesUnless('describeRunStore', lacks)

  unless('opens')('counts that a link was shown, and changes nothing else by it', async () => {
    const opened = await open()
    const { store, clock } = opened
    const [shown, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const run = await runThatIs(opened, 'paused', { links: [link(shown), link(other)] })
    const before = await allOf(opened, run)
    expect(before.links.map(({ opens = 0 }) => opens)).toEqual([0, 0])
    await store.noteOpened!(shown)
    clock.advance(1000)
    const now = clock.now()
    await store.noteOpened!(shown)
    const { links, ...after } = await allOf(opened, run)
    const byHash = new Map(links.map(each => [each.hash, each]))
    expect(byHash.get(shown)).toMatchObject({ opens: 2, openedAt: Math.floor(now) })
    expect(byHash.get(other)?.opens ?? 0).toBe(0)
    expect(byHash.get(other)?.openedAt).toBeUndefined()
    const { links: _links, ...untouched } = before
    expect(after).toEqual(untouched)
    expect((await store.findByLink(shown))?.link.opens).toBe(2)
  })

  unless('opens')('counts nothing of a link that it does not have', async () => {
    const { store } = await open()
    const hash = crypto.randomUUID()
    await store.noteOpened!(hash)
    expect(await store.findByLink(hash)).toBeNull()
  })

  unless('opens')('counts links that are shown to several at once', async () => {
    const opened = await open()
    const hash = crypto.randomUUID()
    await runThatIs(opened, 'paused', { links: [link(hash)] })
    await Promise.all(Array.from({ length: 3 }, () => opened.store.noteOpened!(hash)))
    expect((await opened.store.findByLink(hash))?.link.opens).toBe(3)
  })
}
