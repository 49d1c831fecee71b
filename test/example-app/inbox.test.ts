import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MailFile } from '../../example-app/src/mail/mail-file'
import { newFolder, startExampleApp } from '../support/example-app'

const mail = (subject: string, text = '') => ({
  to: 'ada@example.com',
  subject,
  text,
  html: '',
  date: new Date(0).toISOString(),
  messageId: subject,
})

const subjects = (file: MailFile) => file.list().map(({ subject }) => subject)

async function reopen(path: string): Promise<MailFile> {
  const file = new MailFile(path)
  await file.open()
  return file
}

describe('the inbox', () => {
  it('has its mails after a restart, and nobody else can read them', async () => {
    const first = await startExampleApp()
    await first.visitor().wf({ wfid: 'auth/recover', input: { email: 'member@example.com' } })
    const before = await first.mailTo('member@example.com')
    expect(await first.stop()).toEqual([0, null])
    const second = await startExampleApp({ DATA_DIR: first.dataDir })
    expect(await second.mails()).toEqual([before])
    expect(statSync(join(first.dataDir, 'inbox.jsonl')).mode & 0o077).toBe(0)
    await second.visitor().wf({ wfid: 'auth/recover', input: { email: 'manager@example.com' } })
    await second.mailTo('manager@example.com')
    expect((await second.mails()).map(({ to }) => to)).toEqual([
      'manager@example.com',
      'member@example.com',
    ])
  })

  it('gives a mail by its id, with no rights, and to this machine alone', async () => {
    const app = await startExampleApp()
    await app.visitor().wf({ wfid: 'auth/recover', input: { email: 'member@example.com' } })
    const { id, html } = await app.mailTo('member@example.com')
    const { status, text, headers } = await app.visitor().get(`/api/inbox/${id}`)
    expect([status, text]).toEqual([200, html])
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; " +
        "form-action 'none'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    const forwarded = { headers: { 'x-forwarded-for': '10.0.0.1' } }
    expect((await app.visitor().request(`/api/inbox/${id}`, forwarded)).status).toBe(404)
    expect((await app.visitor().get('/api/inbox/no-such-mail')).status).toBe(404)
  })

  it('gives as many as are asked for', async () => {
    const DATA_DIR = newFolder()
    const file = await reopen(join(DATA_DIR, 'inbox.jsonl'))
    for (const subject of ['one', 'two', 'three']) await file.keep(mail(subject))
    const visitor = (await startExampleApp({ DATA_DIR })).visitor()
    const { body } = await visitor.get('/api/inbox?limit=2')
    expect(body).toMatchObject([{ subject: 'three' }, { subject: 'two' }])
    expect((await visitor.get('/api/inbox')).body).toHaveLength(3)
    for (const limit of ['0', '-1', '1e3', 'all', '']) {
      expect((await visitor.get(`/api/inbox?limit=${limit}`)).status, limit).toBe(400)
    }
  })

  it('gives mails of former versions an id, which stays', async () => {
    const path = join(newFolder(), 'inbox.jsonl')
    appendFileSync(path, `${JSON.stringify(mail('one'))}\n${JSON.stringify(mail('two'))}\n`)
    const [two, one] = (await reopen(path)).list()
    expect(one).toEqual({ ...mail('one'), id: expect.stringMatching(/^[\w-]{36}$/u) })
    expect(two?.id).not.toBe(one?.id)
    expect((await reopen(path)).list()).toEqual([two, one])
  })

  it('loses nothing but the last line if it was cut off', async () => {
    const path = join(newFolder(), 'inbox.jsonl')
    const file = await reopen(path)
    await Promise.all(['one', 'two', 'three'].map(subject => file.keep(mail(subject))))
    expect(subjects(file)).toEqual(['three', 'two', 'one'])
    appendFileSync(path, '{"to":"ada@exa')
    const later = await reopen(path)
    expect(subjects(later)).toEqual(['three', 'two', 'one'])
    await later.keep(mail('four'))
    expect(subjects(await reopen(path))).toEqual(['four', 'three', 'two', 'one'])
  })

  it('keeps the newest, however many and however long', async () => {
    const path = join(newFolder(), 'inbox.jsonl')
    const file = await reopen(path)
    for (let index = 0; index < 510; index++) await file.keep(mail(`mail ${index}`))
    expect(file.list()).toHaveLength(500)
    expect(subjects(await reopen(path))[0]).toBe('mail 509')
    expect(subjects(await reopen(path)).at(-1)).toBe('mail 10')
    const long = 'x'.repeat(2 ** 20)
    for (let index = 0; index < 24; index++) {
      await file.keep(mail(`long ${index}`, long))
      expect(statSync(path).size).toBeLessThan(11 * 2 ** 20)
    }
    expect(subjects(file)).toEqual(['long 23', 'long 22', 'long 21', 'long 20'])
    expect(readFileSync(path, 'utf8')).toContain('long 23')
  })
})
