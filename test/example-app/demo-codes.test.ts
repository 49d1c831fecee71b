import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleApp, makeAdmin, startSharedApp, totpCode } from '../support/example-app'

const PATH = '/api/demo/codes?email='
const ADMIN = 'admin@example.com'

let app: ExampleApp
let invited: Awaited<ReturnType<typeof makeAdmin>>
beforeAll(async () => {
  app = await startSharedApp()
  invited = await makeAdmin(app)
})

const codes = async (email = ADMIN) => (await app.visitor().get(PATH + email)).body

/** Signs in with a second factor of the admin. */
async function use(by: 'app' | 'recovery', code: string) {
  const visitor = app.visitor()
  const { body } = await visitor.signIn(ADMIN, 'admin-password')
  const { wfs } =
    by === 'app' ? body : (await visitor.wf({ wfs: body.wfs, action: 'recovery' })).body
  return (await visitor.wf({ wfs, input: { code } })).body.finished
}

describe('the codes that the demo offers', () => {
  it('are those that work', async () => {
    const before = await codes()
    expect(before.totpSecret).toBe('JBSWY3DPEHPK3PXP')
    expect(before.recoveryCodes).toHaveLength(5)
    const next = Math.floor(Date.now() / 30_000) + 1
    expect(before.usedSteps).not.toContain(next)
    expect(await use('app', totpCode(1))).toBe(true)
    expect(await use('recovery', 'demo-0003')).toBe(true)
    const { usedSteps, recoveryCodes } = await codes()
    expect(usedSteps).toContain(next)
    expect(recoveryCodes).toEqual(['demo-0001', 'demo-0002', 'demo-0004', 'demo-0005'])
  })

  it('are none of an account that has another second factor by now', async () => {
    const { email, password } = { email: 'member@example.com', password: 'member-password' }
    const member = app.visitor()
    await member.signIn(email, password)
    const { secret } = await member.addSecondFactor(password)
    const { status, text } = await app.visitor().get(PATH + email)
    expect([status, text]).toEqual([200, '{"recoveryCodes":[]}'])
    expect(text).not.toContain(secret)
  })

  it('are of the demo alone, and for this machine alone', async () => {
    const { email, password } = invited
    const admin = app.visitor()
    await admin.signIn(email, password)
    await admin.addSecondFactor(password)
    for (const [account, headers] of [
      [email, {}],
      ['nobody@example.com', {}],
      ['', {}],
      [ADMIN, { 'x-forwarded-for': '203.0.113.7' }],
    ] as const) {
      const answer = await app.visitor().request(PATH + account, { headers })
      expect(answer.status).toBe(404)
      expect(answer.text).not.toMatch(/JBSWY|demo-/u)
    }
  })
})

describe('a demo that went public', () => {
  it('offers none', async () => {
    const site = await startSharedApp({ PUBLIC_URL: 'https://app.example.com' })
    expect((await site.visitor().get(PATH + ADMIN)).status).toBe(404)
  })
})
