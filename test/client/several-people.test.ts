import { createWfClient } from '@atscript/moost-wf/client'
import { describe, expect, it } from 'vitest'
import { ADA, BOB } from '../support/panel-app'
import { openPanel, type Panel } from '../support/panel-endpoint'
import { openTab } from './browser'

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
