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
