import { expect, it } from 'vitest'
import { blocksOf, blockWith, runBlock } from '../support/example'
import { startApp } from '../support/moost-app'
import { readFile } from '../support/project'
import { request } from '../support/shop'

type Controllers = Parameters<typeof startApp>[0]

const PAGE = 'docs/outlets.md'
const [forms = ''] = blocksOf(PAGE, 'atscript')

const MAIL = `
export const mails = []
export async function sendMail(to, subject, text) {
  if (to === 'nobody@example.com') throw new Error('no such box')
  mails.push({ to, subject, text })
}
`

/** The recipe as it stands in the docs, with a mail box in place of a mail server. */
async function startRecipe() {
  const code = `${blockWith(PAGE, 'class Invitations')}\nexport { mails } from './mail'\n`
  const { Invitations, Endpoint, mails } = await runBlock<{
    Invitations: Controllers[number]
    Endpoint: Controllers[number]
    mails: { to: string; text: string }[]
  }>(PAGE, code, { 'mail.ts': MAIL, 'schemas/InvitationForms.as': forms })
  // A module is loaded once, for all tests.
  mails.length = 0
  const { url } = await startApp([Invitations, Endpoint])
  const post = (body: unknown) => request(url, body, { path: '/api/wf' })
  return {
    mails,
    post,
    look: (wfs: string) => fetch(`${url}/api/wf?wfs=${encodeURIComponent(wfs)}`),
    async invite() {
      await post({ wfid: 'users/invite', input: { email: 'bob@example.com' } })
      return (
        new URL(/https:\S+/u.exec(mails[0]?.text ?? '')?.[0] ?? '').searchParams.get('wfs') ?? ''
      )
    },
  }
}

it('the forms of the recipe are those that it is compiled with', () => {
  expect(forms).toBe(readFile('test/fixtures/schemas/invitation-forms.as').text)
})

it('mails a link, shows the form to whoever opens it, and finishes with what they send', async () => {
  const { mails, post, look, invite } = await startRecipe()
  const wfs = await invite()
  expect(mails).toEqual([expect.objectContaining({ to: 'bob@example.com' })])

  for (let opened = 0; opened < 3; opened++) {
    const seen = await (await look(wfs)).json()
    expect(seen).toEqual({
      resumable: true,
      wfid: 'users/invite',
      expiresAt: expect.any(Number),
      inputRequired: {
        payload: expect.objectContaining({ id: 'AcceptForm' }),
        transport: 'http',
        context: {},
      },
    })
  }
  const { status, body } = await post({ wfs })
  expect(status).toBe(200)
  expect(body.inputRequired).toMatchObject({
    payload: { metadata: { 'meta.label': 'You are invited' } },
    context: { email: 'bob@example.com' },
  })
  const wrong = await post({ wfs: body.wfs, input: { name: '' } })
  expect(wrong.body.inputRequired.context.errors).toEqual({ name: 'What is your name?' })
  const done = await post({ wfs: wrong.body.wfs, input: { name: 'Bob' } })
  expect(done.body).toEqual({
    finished: true,
    message: 'Welcome, Bob.',
    data: { email: 'bob@example.com', name: 'Bob' },
  })
  expect(mails).toHaveLength(1)
})

it('tells who invites no more than that a mail was sent', async () => {
  const { post } = await startRecipe()
  const { status, body } = await post({ wfid: 'users/invite', input: { email: 'bob@example.com' } })
  expect({ status, body }).toEqual({ status: 200, body: { sent: true, outlet: 'email' } })
})

it('asks again whoever invites when the mail cannot be sent', async () => {
  const { mails, post } = await startRecipe()
  const { wfs } = (await post({ wfid: 'users/invite' })).body
  const failed = await post({ wfs, input: { email: 'nobody@example.com' } })
  expect(failed).toMatchObject({ status: 502, body: { error: { code: 'WF_OUTLET_FAILED' } } })
  const sent = await post({ wfs, input: { email: 'bob@example.com' } })
  expect(sent.body).toEqual({ sent: true, outlet: 'email' })
  expect(mails).toHaveLength(1)
})

it('sends no second mail, however often the link is used', async () => {
  const { mails, post, invite } = await startRecipe()
  const wfs = await invite()
  const answers = [await post({ wfs }), await post({ wfs }), await post({ wfs })]
  expect(answers.map(({ status, body }) => [status, body.wfs])).toEqual([
    [200, wfs],
    [200, wfs],
    [200, wfs],
  ])
  expect(mails).toHaveLength(1)
})
