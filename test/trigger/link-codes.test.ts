import { randomBytes, randomUUID } from 'node:crypto'
import { createEmailOutlet, createWfRunner } from '@atscript/moost-wf'
import { describe, expect, it, vi } from 'vitest'
import { type Keeping, LINK_MS, openTurns, type OpenTurns } from '../support/turns-app'

const CODE = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/u
const APPROVE = { decision: 'approve' }
const link = { code: true }

type Begun = Awaited<ReturnType<OpenTurns['beginWatched']>>

const enter = (
  { send }: OpenTurns,
  { watch, cookie }: Pick<Begun, 'watch' | 'cookie'>,
  code: unknown,
  more: object = {},
) => send({ watch, code, ...more }, { cookie })

/** Another code, of the right form. */
const wrongCode = (n = 0) => {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const at = (power: number) => digits[Math.floor(n / 32 ** power) % 32]
  return `ZZZZZ${at(2)}${at(1)}${at(0)}`
}

const codesOf = (answers: readonly { status: number; body: { error?: { code: string } } }[]) =>
  answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim())

const KEEPINGS: Keeping[] = [
  'handle',
  'stable',
  'hashed',
  'memory',
  'encapsulated',
  'durable',
  'queued',
]

describe.each(KEEPINGS)('a code beside a link, %s', keeping => {
  it('shows the form of the link, and is used together with it', async () => {
    const app = await openTurns({ keeping, link })
    const begun = await app.beginWatched()
    expect(begun.answer.body).toMatchObject({ sent: true, outlet: 'email', code: true })
    expect(begun.cookie).toMatch(/^wfs-browser=/u)
    expect(begun.mail.code).toMatch(CODE)
    expect(begun.answer.text).not.toContain(begun.mail.code)
    const entered = await enter(app, begun, begun.mail.code, { requestId: randomUUID() })
    expect(entered.status).toBe(200)
    expect(entered.body.inputRequired.payload.id).toBe('DecisionForm')
    expect(entered.body.wfs).toBe(begun.mail.token)
    const done = await app.send({ wfs: entered.body.wfs, input: APPROVE })
    expect(done.body).toMatchObject({ finished: true, data: { first: 'approve' } })
    const late = await enter(app, begun, begun.mail.code)
    expect([late.status, late.body.error.code]).toEqual([410, 'WF_USED'])
    expect(late.body.error.answered).toEqual({})
  })

  it('does not fill the ledger with answers to what is no code', async () => {
    const app = await openTurns({ keeping, link })
    const begun = await app.beginWatched()
    const put = vi.spyOn(app.ledger, 'put')
    for (let n = 0; n < 30; n++) {
      const { status } = await enter(app, begun, `?${n}`, { requestId: randomUUID() })
      expect(status).toBe(422)
    }
    expect(put.mock.calls.filter(([kind]) => kind === 'answer').length).toBeLessThanOrEqual(20)
    expect((await enter(app, begun, begun.mail.code)).status).toBe(200)
  })

  it('runs the step of a link without a form, once', async () => {
    const app = await openTurns({ keeping, link })
    const begun = await app.beginWatched('turns/papers')
    const entered = await enter(app, begun, begun.mail.code)
    expect(entered.body.inputRequired.payload).toEqual({ ask: 'first' })
    const link410 = await app.send({ wfs: begun.mail.token })
    expect(codesOf([link410])).toEqual(['410 WF_USED'])
    const signed = await app.send({ wfs: entered.body.wfs, input: { name: 'Ann' } })
    expect(signed.body).toMatchObject({ sent: true })
  })

  it('says what the link would say when that has expired', async () => {
    const app = await openTurns({ keeping, link })
    const begun = await app.beginWatched()
    app.clock.advance(LINK_MS)
    expect(codesOf([await enter(app, begun, begun.mail.code)])).toEqual(['410 WF_EXPIRED'])
  })
})

describe('a code', () => {
  it.each([
    (code: string) => code.toLowerCase(),
    (code: string) => ` ${code.replace('-', '')} `,
    (code: string) => code.replace('-', ' – '),
    (code: string) => [...code].join(' '),
    (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
  ])('is read as people type it: %s', async spell => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    expect((await enter(app, begun, spell(begun.mail.code!))).status).toBe(200)
  })

  it('can be posted by a form of HTML', async () => {
    const app = await openTurns({ link })
    const { watch, cookie, mail } = await app.beginWatched()
    const rawBody = new URLSearchParams({ watch, code: mail.code! }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await app.send(undefined, { rawBody, headers, cookie })
    expect(body.inputRequired.context.errors).toBeUndefined()
    expect(body.wfs).toBe(mail.token)
  })

  it('is tried five times, however many come at once', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    const tries = Array.from({ length: 500 }, (_, n) => enter(app, begun, wrongCode(n)))
    const answers = await Promise.all(tries)
    const wrong = answers.filter(({ status }) => status === 422)
    expect(wrong.map(({ body }) => body.error.triesLeft).toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(codesOf(wrong)).toEqual(Array(5).fill('422 WF_CODE_WRONG'))
    const others = answers.filter(({ status }) => status !== 422)
    expect(new Set(codesOf(others))).toEqual(new Set(['429 WF_TOO_MANY']))
    expect(others).toHaveLength(495)
    expect(codesOf([await enter(app, begun, begun.mail.code)])).toEqual(['429 WF_TOO_MANY'])
    expect((await app.send({ wfs: begun.mail.token, input: APPROVE })).body.finished).toBe(true)
  })

  it('has all its tries again once it was right', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    for (let round = 0; round < 3; round++) {
      for (const n of [1, 2, 3, 4]) await enter(app, begun, wrongCode(n))
      expect((await enter(app, begun, begun.mail.code)).status).toBe(200)
    }
    expect((await enter(app, begun, wrongCode())).body.error.triesLeft).toBe(4)
  })

  it('costs no try if it cannot be one', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    for (const typed of ['', '12', 'UUUU-UUUU', 'x'.repeat(1e4), 7, null, {}, ['a'], '\u0000']) {
      const { status, body } = await enter(app, begun, typed)
      if (status === 422) expect(body.error).toMatchObject({ code: 'WF_CODE_WRONG', triesLeft: 5 })
      else expect(status).toBe(400)
    }
    expect((await enter(app, begun, begun.mail.code)).status).toBe(200)
  })

  it('is repeated safely under a request id, whether right or wrong', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched('turns/papers')
    const wrong = { requestId: randomUUID() }
    const first = await enter(app, begun, wrongCode(1), wrong)
    for (let again = 0; again < 10; again++) {
      const { text, headers } = await enter(app, begun, wrongCode(1), wrong)
      expect([text, headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    }
    expect(first.body.error.triesLeft).toBe(4)
    const changed = await enter(app, begun, wrongCode(2), wrong)
    expect(codesOf([changed])).toEqual(['422 WF_REQUEST_CHANGED'])
    const right = { requestId: randomUUID() }
    const all = await Promise.all(
      Array.from({ length: 20 }, () => enter(app, begun, begun.mail.code, right)),
    )
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(all[0]!.body.inputRequired.payload).toEqual({ ask: 'first' })
  })

  it('needs a ledger, someone else, and somebody who watches', async () => {
    for (const options of [
      { link, config: { ledger: undefined } },
      { link: { ...link, watch: false } },
    ]) {
      const app = await openTurns(options)
      expect((await app.send({ wfid: 'turns/decide' })).status).toBe(500)
      expect(app.log.some(({ text }) => text.includes('A code is for a pause'))).toBe(true)
      expect(app.mails).toEqual([])
    }
  })

  it('is not shown to the caller by the mistake of an outlet', async () => {
    for (const spell of [(code: string) => code, (code: string) => code.replace('-', '')]) {
      const email = createEmailOutlet(async () => {})
      const leaky = {
        ...email,
        deliver: (_request: object, _token: string, { code = '' } = {}) => ({
          response: { sent: true, hint: spell(code) },
        }),
      }
      const app = await openTurns({ link, config: { outlets: [leaky] } })
      const { status, body } = await app.send({ wfid: 'turns/decide' })
      expect([status, body.error.code]).toEqual([500, 'WF_INTERNAL'])
    }
  })

  it('is in no log line, also if the mail cannot be sent', async () => {
    let sent = ''
    const email = createEmailOutlet(async ({ code, token }) => {
      sent = code!
      throw new Error(`550 ${code} ${code!.replace('-', '')} ${token}`)
    })
    const app = await openTurns({ link, config: { outlets: [email] } })
    expect((await app.send({ wfid: 'turns/decide' })).status).toBe(502)
    expect(sent).toMatch(CODE)
    const lines = app.log.map(({ text }) => text).join('\n')
    expect(lines).toContain('550')
    expect(lines).not.toContain(sent)
    expect(lines).not.toContain(sent.replace('-', ''))
  })

  it('dies with its link when an admin sends that anew', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    expect((await app.resend()).status).toBe(200)
    expect(codesOf([await enter(app, begun, begun.mail.code)])).toEqual(['410 WF_SUPERSEDED'])
    const { token } = app.resent[0]!
    expect((await app.send({ wfs: token, input: APPROVE })).body.finished).toBe(true)
  })

  it('is of no use once its link was revoked', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    await app.rows.revoke({ schemaId: 'turns/decide' })
    expect(codesOf([await enter(app, begun, begun.mail.code)])).toEqual(['410 WF_REVOKED'])
  })

  it('works for a runner as well', async () => {
    const app = await openTurns({ link })
    const runner = createWfRunner(app.config, app.wf)
    const sent = await runner.start('turns/decide')
    if (sent.kind !== 'sent') throw new Error(sent.kind)
    expect(sent).toMatchObject({ code: true, browser: expect.any(String) })
    const { watch = '', browser } = sent
    const { code = '', token } = app.mails.at(-1)!
    expect(await runner.enterCode(watch, code)).toMatchObject({ code: 'WF_STATE_GONE' })
    const wrong = await runner.enterCode(watch, wrongCode(), { browser })
    expect(wrong).toMatchObject({ kind: 'refused', code: 'WF_CODE_WRONG', triesLeft: 4 })
    const right = await runner.enterCode(watch, code, { browser, input: APPROVE })
    expect(right).toMatchObject({ kind: 'finished', data: { data: { first: 'approve' } } })
    expect(await runner.peek(token)).toMatchObject({ code: 'WF_USED' })
  })
})

describe('whoever tries a code without being asked for one', () => {
  it('is told the same as for garbage, byte for byte, and costs nobody a try', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    const other = await app.beginWatched()
    const { code } = begun.mail
    const nobody = randomBytes(24).toString('base64url')
    const plain = await openTurns({ config: { ledger: app.ledger } })
    const codeless = await plain.beginWatched()
    const foreign = { watch: begun.watch, cookie: other.cookie }
    const attempts = [
      await enter(app, { watch: 'garbage', cookie: '' }, code),
      await enter(app, { watch: nobody, cookie: begun.cookie }, code),
      await enter(app, { ...begun, cookie: '' }, code),
      await enter(app, foreign, code),
      await enter(app, foreign, wrongCode(), { requestId: 'r1' }),
      await enter(app, { ...begun, cookie: `wfs-browser=${nobody}` }, code),
      await enter(app, { ...codeless, cookie: begun.cookie }, code),
      await enter(app, { watch: begun.mail.token, cookie: begun.cookie }, code),
    ]
    const garbled = await app.send({ wfs: 'garbage' })
    expect(new Set(attempts.map(({ text }) => text))).toEqual(new Set([garbled.text]))
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([410]))
    const headersOf = ({ headers }: { headers: Headers }) => {
      const { date: _date, ...others } = Object.fromEntries(headers)
      return others
    }
    for (const attempt of attempts) expect(headersOf(attempt)).toEqual(headersOf(garbled))
    // The code of another flow of the same browser is a wrong one.
    const mixed = await app.beginWatched('turns/decide', { cookie: begun.cookie })
    const wrong = await enter(app, { ...mixed, cookie: begun.cookie }, code)
    expect(wrong.body.error).toMatchObject({ code: 'WF_CODE_WRONG', triesLeft: 4 })
    expect((await enter(app, begun, wrongCode())).body.error.triesLeft).toBe(4)
  })

  it('is refused from another site', async () => {
    const app = await openTurns({ link })
    const { watch, cookie, mail } = await app.beginWatched()
    const headers = { origin: 'https://evil.example' }
    const { body } = await app.send({ watch, code: mail.code }, { cookie, headers })
    expect(body.error.code).toBe('WF_FOREIGN_ORIGIN')
  })

  it('has nothing of a workflow that is not allowed there', async () => {
    const app = await openTurns({ link })
    const begun = await app.beginWatched()
    const { ledger, clock, config } = app
    const elsewhere = await openTurns({
      config: { ledger, clock, state: config.state, allow: ['turns/papers'] },
    })
    expect(codesOf([await enter(elsewhere, begun, begun.mail.code)])).toEqual(['410 WF_STATE_GONE'])
  })

  it('finds neither code nor token in the ledger, nor anything that opens', async () => {
    const app = await openTurns({ keeping: 'hashed', link })
    const begun = await app.beginWatched()
    await enter(app, begun, wrongCode(), { requestId: randomUUID() })
    await enter(app, begun, begun.mail.code, { requestId: randomUUID() })
    const entries = await app.ledgerTable.findMany({ filter: {} })
    const text = JSON.stringify(entries)
    const { code = '', token } = begun.mail
    const secrets = [code, code.replace('-', ''), token, token.split('.')[1]!, begun.watch]
    for (const secret of secrets) expect(text).not.toContain(secret)
    const parts = entries.flatMap(entry => {
      const { key, data } = entry as { key: string; data?: string | null }
      const note = data?.startsWith('{') ? (JSON.parse(data) as Record<string, unknown>) : {}
      return [key, data, ...Object.values(note)].filter(part => typeof part === 'string')
    })
    expect(parts.length).toBeGreaterThan(5)
    for (const part of parts.flatMap(each => [each, ...each.split('.')])) {
      for (const wfs of [part, `default.${part}`]) {
        expect((await app.send({ wfs, input: APPROVE })).status).toBe(410)
      }
      expect((await enter(app, { watch: part, cookie: begun.cookie }, code)).status).toBe(410)
      const { cookie } = begun
      const typed = await enter(app, { watch: begun.watch, cookie }, part)
      expect([422, 429]).toContain(typed.status)
      const marked = await enter(app, { ...begun, cookie: `wfs-browser=${part}` }, code)
      expect(marked.status).toBe(410)
    }
    expect((await app.send({ wfs: token, input: APPROVE })).body.finished).toBe(true)
  })
})
