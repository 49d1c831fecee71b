import { describe, expect, it } from 'vitest'
import { openAdmin, type OpenAdmin, SECRET } from './admin-app'

/** Asks everything that there is to ask, rightly and wrongly, and collects what was answered. */
async function askEverything(app: OpenAdmin): Promise<string[]> {
  const rows = await app.table.findMany({ filter: {} })
  const answers: string[] = []
  const keep = async (answer: Promise<{ text: string; headers: Headers }>) => {
    const { text, headers } = await answer
    answers.push(text, JSON.stringify([...headers]))
  }
  const hidden = ['handle', 'state', 'state.context.login.password']
  for (const path of ['columns', 'flows', 'counts', 'jobs', 'flows?search=e&size=100']) {
    await keep(app.get(path))
  }
  for (const name of hidden) {
    await keep(app.get(`flows?sort=${name}`))
    await keep(app.get(`flows?filter=${JSON.stringify({ [name]: rows[0]!.handle })}`))
    await keep(app.get(`flows?search=${rows[0]!.handle.slice(0, 9)}`))
  }
  for (const { id, version } of rows) {
    await keep(app.get(`flows/${id}`))
    await keep(app.post(`flows/${id}/resend`, { version: 99 }))
    await keep(app.post(`flows/${id}/resend`, { version }))
    const expiresAt = app.clock.now() + 1000
    await keep(app.post(`flows/${id}/extend`, { version: version + 1, expiresAt }))
    await keep(app.post(`flows/${id}/extend`, { version, expiresAt }))
    await keep(app.get(`flows/${id}`))
    await keep(app.post(`flows/${id}/revoke`, { version }))
    await keep(app.post(`flows/${id}/revoke`, { version: version + 2 }))
  }
  await keep(app.post('heal'))
  await keep(app.post('cleanup'))
  await keep(app.get('jobs'))
  return answers
}

describe.each([
  ['handles', {}],
  ['hashed handles', { store: { hashHandles: true } }],
  ['stable handles', { strategy: { stable: true } }],
])('with %s', (_what, options) => {
  it('no answer and no log line holds a handle, a state or a secret of a context', async () => {
    const app = await openAdmin(options)
    const tokens = [
      await app.pause('expenses/claim'),
      await app.pause('expenses/invite', { applicant: 'Bob', amount: 900 }),
      await app.pause('expenses/short'),
    ]
    const stored = (await app.table.findMany({ filter: {} })).map(({ handle }) => handle)
    const answers = await askEverything(app)
    expect(app.resent.length).toBe(3)
    const secrets = [
      SECRET,
      ...stored,
      ...[...tokens, ...app.resent.map(({ token }) => token)].map(token => handleIn(token)),
    ]
    const told = [...answers, ...app.log.map(({ text }) => text)].join('\n')
    for (const secret of secrets) expect(told).not.toContain(secret)
    for (const answer of answers) expect(answer).not.toMatch(/"handle":|"indexes":|"state":\{/u)
  })
})

/** What the store knows of a token. */
const handleIn = (token: string) => token.slice(token.indexOf('.') + 1).replace(/~\d+$/u, '')

it('a context that holds its own link is shown without it', async () => {
  const app = await openAdmin()
  await app.pause('expenses/claim')
  const { id, handle, state } = await app.onlyRow()
  const context = { ...(state.context as object), note: `see https://x/?wfs=default.${handle}` }
  await app.table.updateMany({ id }, { state: { ...state, context } })
  const { text, body } = await app.get(`flows/${id}`)
  expect(text).not.toContain(handle)
  expect(body.context.note).toBe('•••')
})

it('a context that holds its own handle in the middle of a word is shown without it', async () => {
  const handle = 'thehandleofthisflow'
  const app = await openAdmin({ strategy: { generateHandle: () => handle } })
  await app.pause('expenses/claim')
  const { id, state } = await app.onlyRow()
  const context = { ...(state.context as object), note: `x${handle}x` }
  await app.table.updateMany({ id }, { state: { ...state, context } })
  expect((await app.get(`flows/${id}`)).body.context.note).toBe('•••')
})

it('a database that fails is answered without a word of why', async () => {
  const app = await openAdmin()
  await app.pause('expenses/claim')
  const { id } = await app.onlyRow()
  await app.space.close()
  for (const path of ['flows', 'counts', `flows/${id}`]) {
    const { status, body, text } = await app.get(path)
    expect([path, status]).toEqual([path, 503])
    expect(body.error.code).toBe('WF_DB_UNAVAILABLE')
    expect(text).not.toContain('select')
  }
})
