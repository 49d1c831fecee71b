import { createWfClient } from '@atscript/moost-wf/client'
import { assert, describe, expect, it, vi } from 'vitest'
import { ADA, BOB } from '../support/panel-app'
import { openPanel, type Panel } from '../support/panel-endpoint'
import { openTab } from './browser'

async function sentCode({ codes }: Panel, count: number): Promise<string> {
  await vi.waitFor(() => assert(codes.length === count))
  return codes.at(-1)!.code
}

/** The page of whoever opens a link. */
async function opened(panel: Panel, to: string) {
  const tab = openTab(`/decide?wfs=${encodeURIComponent(panel.linkOf(to))}`)
  const client = createWfClient({ path: `${panel.url}/wf`, name: 'expense/approve' })
  await client.resume()
  return { tab, client }
}

describe('a page of one of several people', () => {
  it('is told that the answer is noted, and has nothing left to send', async () => {
    const { client, tab } = await opened(await openPanel(), ADA)
    const state = await client.action('approve', {})
    expect(state).toMatchObject({ loading: false, finished: false, response: { noted: true } })
    expect([state.form, state.error]).toEqual([undefined, undefined])
    expect(tab.tokens).toEqual([])
  })

  it('keeps what is needed to come back, where the answer may be changed', async () => {
    const how = { quorum: 'all', canChange: true } as const
    const { client, tab } = await opened(await openPanel('a socket', { how }), ADA)
    const state = await client.action('approve', {})
    expect(state.response).toEqual({ noted: true, canChange: true })
    expect(tab.tokens).toHaveLength(1)
    expect((await client.start()).form).toBeDefined()
    expect((await client.action('reject', {})).finished).toBe(true)
  })

  it('is told when the others have decided meanwhile', async () => {
    const panel = await openPanel()
    const { client } = await opened(panel, ADA)
    await panel.say(panel.linkOf(BOB), 'reject')
    const { error } = await client.action('approve', {})
    expect(error).toMatchObject({ code: 'WF_USED', status: 410 })
  })

  const CODED = { people: [{ to: ADA, requireCode: true }, { to: BOB }] }

  it('has a code sent, and answers with it, and stores it nowhere', async () => {
    const panel = await openPanel('a socket', CODED)
    const { client, tab } = await opened(panel, ADA)
    expect(client.state).toMatchObject({ error: { code: 'WF_CODE_NEEDED', status: 403 } })
    expect(client.state.form).toBeUndefined()
    expect(await client.askCode()).toMatchObject({ codeAsked: true, loading: false })
    expect(client.state.pendingResume).toBeDefined()
    const code = await sentCode(panel, 1)
    const wrong = await client.resume('0000-0000')
    expect(wrong).toMatchObject({ error: { code: 'WF_CODE_WRONG', triesLeft: 4 } })
    expect(wrong.codeAsked).toBeUndefined()
    const shown = await client.resume(code)
    expect([shown.error, shown.form !== undefined]).toEqual([undefined, true])
    const stored = () => [...tab.sessionStorage.items.values()].join()
    expect(stored()).not.toContain(code)
    const answering = client.action('approve', {})
    expect(stored()).not.toContain(code)
    expect((await answering).response).toEqual({ noted: true })
    expect(stored()).not.toContain(code)
  })

  it('has nothing to send a code for without a link', async () => {
    const panel = await openPanel()
    openTab('/decide')
    const client = createWfClient({ path: `${panel.url}/wf`, name: 'expense/approve' })
    expect(() => client.askCode()).toThrow(TypeError)
    expect(() => client.resume('7KQF-30MX')).toThrow(TypeError)
  })

  it('keeps the form, and what was typed, where the code has expired', async () => {
    const panel = await openPanel('a socket', CODED)
    const { client } = await opened(panel, ADA)
    await client.askCode()
    await client.resume(await sentCode(panel, 1))
    panel.clock.advance(10 * 60_000)
    const late = await client.action('approve', { comment: 'fine' })
    expect(late).toMatchObject({ error: { code: 'WF_CODE_NEEDED' }, data: { comment: 'fine' } })
    expect(late.form).toBeDefined()
    const asked = await client.askCode()
    expect(asked).toMatchObject({ codeAsked: true, data: { comment: 'fine' } })
    const again = await client.resume(await sentCode(panel, 2))
    expect(again.error).toBeUndefined()
    expect(again.data).toEqual({ comment: 'fine' })
    const { response } = await client.action('approve', client.state.data)
    expect(response).toEqual({ noted: true })
  })

  it('is told that it is not for this user', async () => {
    const people = [{ to: ADA, requireUser: true as const }, { to: BOB }]
    const panel = await openPanel('a socket', { people })
    openTab(`/decide?wfs=${encodeURIComponent(panel.linkOf(ADA))}`)
    const client = createWfClient({ path: `${panel.url}/wf`, name: 'expense/approve' })
    const { error, form } = await client.resume()
    expect(form).toBeUndefined()
    expect(error).toMatchObject({ code: 'WF_WRONG_USER', status: 403 })
  })
})
