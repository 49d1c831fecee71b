import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sentenceOf } from '../../example-app/src/settings/problems'
import { demoKillByDefault } from '../../example-app/src/settings/read-demo-kill'
import { readSettings } from '../../example-app/src/settings/settings'
import { newFolder, spawnExampleApp } from '../support/example-app'

const SECRET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP0'
const OLDER = SECRET.replace('a', 'b')

const read = (env: Record<string, string> = {}) => readSettings({ DATA_DIR: newFolder(), ...env })

describe('the settings', () => {
  it('have defaults for a machine with nothing but Node', () => {
    const settings = read()
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      proxies: 0,
      remindMs: 120_000,
      escalateMs: 300_000,
      isLocal: true,
    })
    expect(settings.databaseUrl ?? settings.smtpUrl).toBeUndefined()
    expect(read({ PORT: '', TRUST_PROXY: '' })).toMatchObject({ port: 3000, proxies: 0 })
    expect(read({ TRUST_PROXY: '2' }).proxies).toBe(2)
    const times = { REMIND_SECONDS: '0', ESCALATE_SECONDS: '86400' }
    expect(read(times)).toMatchObject({ remindMs: 0, escalateMs: 86_400_000 })
  })

  it('make a secret on the first start and keep it, for nobody else to read', () => {
    const DATA_DIR = newFolder()
    const { secrets } = read({ DATA_DIR })
    const file = join(DATA_DIR, 'wf-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(secrets).toEqual([readFileSync(file, 'utf8').trim()])
    expect(read({ DATA_DIR }).secrets).toEqual(secrets)
    expect(read().secrets).not.toEqual(secrets)
  })

  it('take several secrets, the current one first', () => {
    expect(read({ WF_SECRET: `${SECRET}, ${OLDER}` }).secrets).toEqual([SECRET, OLDER])
  })

  it.each([
    [{}, false],
    [{ DEMO_KILL: '' }, false],
    [{ DEMO_KILL: '0', HOST: '0.0.0.0' }, false],
    [{ DEMO_KILL: '1' }, true],
    [{ DEMO_KILL: '1', HOST: '::1', PUBLIC_URL: 'http://127.0.0.1:8080' }, true],
  ])('know whether the server may be killed: %j', (env, canBeKilled) => {
    expect(read(env as Record<string, string>).canBeKilled).toBe(canBeKilled)
  })

  it.each([
    [{}, '1'],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }, '1'],
    [{ HOST: '0.0.0.0' }, '0'],
    [{ PUBLIC_URL: 'https://app.example.com' }, '0'],
    [{ PUBLIC_URL: 'no address' }, '0'],
    [{ TRUST_PROXY: '1' }, '0'],
  ])('let npm start be killed by default on this machine alone: %j', (env, byDefault) => {
    expect(demoKillByDefault(env as Record<string, string>)).toBe(byDefault)
  })

  it.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.2', false],
    ['127.0.0.1.example.com', false],
  ])('know whether HOST %s is this machine alone: %s', (HOST, isLocal) => {
    expect(read({ HOST }).isLocal).toBe(isLocal)
  })

  it.each([
    ['http://localhost:3000', true],
    ['http://app.localhost', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:3000', true],
    ['https://localhost', true],
    ['https://app.example.com', false],
    ['http://192.168.1.2:3000', false],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://0.0.0.0:3000', false],
  ])('know whether PUBLIC_URL %s is this machine alone: %s', (PUBLIC_URL, isLocal) => {
    expect(read({ PUBLIC_URL }).isLocal).toBe(isLocal)
    expect(read({ PUBLIC_URL, PORT: '0' }).isLocal).toBe(isLocal)
    // Neither says so for the other.
    expect(read({ PUBLIC_URL, HOST: '0.0.0.0' }).isLocal).toBe(false)
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc"; set it to a number from 0 to 65535'],
    [{ DEMO_KILL: 'yes' }, 'DEMO_KILL is "yes"; set it to 1, or to 0'],
    [{ DEMO_KILL: '1', HOST: '0.0.0.0' }, 'set DEMO_KILL to 0, or leave HOST and PUBLIC_URL out'],
    [{ DEMO_KILL: '1', PUBLIC_URL: 'http://app.example.com' }, 'set DEMO_KILL to 0, or'],
    [{ PORT: '65536' }, 'PORT is "65536"; set it'],
    [{ PORT: '-1' }, 'PORT is "-1"; set it'],
    [{ PORT: '1e3' }, 'PORT is "1e3"; set it'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY is "true"; set it to the number of proxies in front'],
    [{ TRUST_PROXY: '11' }, 'TRUST_PROXY is "11"; set it to the number of proxies in front'],
    [{ TRUST_PROXY: '-1' }, 'TRUST_PROXY is "-1"; set it'],
    [{ REMIND_SECONDS: '1h' }, 'REMIND_SECONDS is "1h"; set it to a number of seconds from 0'],
    [{ ESCALATE_SECONDS: '-1' }, 'ESCALATE_SECONDS is "-1"; set it to a number of seconds'],
    [
      { DATABASE_URL: 'oracle://u:hunter2@h/d' },
      'set it to postgres://… or postgresql://… or mysql://…',
    ],
    [{ DATABASE_URL: 'hunter2' }, 'DATABASE_URL is not an address that we know; set it to'],
    [
      { SMTP_URL: 'http://u:hunter2@h' },
      'SMTP_URL is not an address that we know; set it to smtp://…',
    ],
    [
      { PUBLIC_URL: 'app.example.com' },
      'PUBLIC_URL is not an address that we know; set it to http',
    ],
    [
      { PUBLIC_URL: 'https://app.example.com/app' },
      'PUBLIC_URL has more than an origin; set it to',
    ],
    [
      { WF_SECRET: 'hunter2' },
      'WF_SECRET is not 64 hex characters nor 43 of base64; set it to what this prints',
    ],
    [{ WF_SECRET: `${SECRET},` }, 'WF_SECRET is not 64 hex characters nor 43 of base64; set it'],
    [{ DATA_DIR: '/dev/null/data' }, 'DATA_DIR is "/dev/null/data", which cannot be made'],
  ])('say what to do about %j, without a secret', (env, sentence) => {
    const problem = problemOf(() => read(env as Record<string, string>))
    expect(problem).toContain(sentence)
    expect(problem).not.toContain('hunter2')
  })

  it('say what to do about a damaged secret file', () => {
    const DATA_DIR = newFolder()
    writeFileSync(join(DATA_DIR, 'wf-secret'), 'x')
    expect(problemOf(() => read({ DATA_DIR }))).toContain('delete that file')
  })
})

function problemOf(act: () => unknown): string {
  try {
    act()
    return ''
  } catch (error) {
    return sentenceOf(error)
  }
}

describe('a problem at the start', () => {
  it.each([
    ['EADDRINUSE', 'set PORT to another one'],
    ['EACCES', 'set PORT to one above 1023'],
    ['EADDRNOTAVAIL', 'set it to 127.0.0.1'],
    ['ENOTFOUND', 'set it to 127.0.0.1'],
  ])('of the kind %s has its sentence', (code, sentence) => {
    expect(sentenceOf(Object.assign(new Error('x'), { code }))).toContain(sentence)
  })
})

describe('a start that cannot be', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc"; set it to a number'],
    [
      { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/app', PORT: '0' },
      'The database does not answer; check DATABASE_URL',
    ],
  ])('ends with a sentence for %j', async (env, sentence) => {
    const { output, exit } = spawnExampleApp({ DATA_DIR: newFolder(), ...env } as never)
    expect(await exit).toEqual([1, null])
    expect(output()).toContain(sentence)
    expect(output()).not.toMatch(/ {4}at |hunter2/u)
  })
})
