import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DbSpace, openDatabase, type OpenDatabaseOptions } from '@atscript/moost-wf/db'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SuiteType } from '../../src/testing/table/suite-type'
import { testEngines } from '../support/databases'

/** Opens it and sees that it is one. */
async function writeTo(url: string, options?: OpenDatabaseOptions): Promise<DbSpace> {
  const space = await openDatabase(url, options)
  onTestFinished(() => space.close())
  const table = space.table(SuiteType)
  await space.sync()
  await table.insertOne({ key: 'a' })
  expect(await table.count({})).toBe(1)
  return space
}

describe('openDatabase', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-open-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each([
    ['a path', (file: string) => file],
    ['file: and a path', (file: string) => `file:${file}`],
    ['a URL of a file', (file: string) => pathToFileURL(file).href],
    ['file: in capitals', (file: string) => `FILE:${file}`],
  ])('opens an SQLite file by %s', async (_title, urlOf) => {
    for (const name of ['app.db', 'with spaces and ünï.db', '@scope.db', 'c:d']) {
      const file = join(folder, name)
      await writeTo(urlOf(file))
      expect(existsSync(file)).toBe(true)
    }
  })

  it('opens SQLite in memory', async () => {
    await writeTo(':memory:')
    await writeTo('file::memory:')
  })

  it.each(testEngines())('opens $name by its URL', async ({ create }) => {
    const database = await create()
    onTestFinished(database.drop)
    await writeTo(database.url)
  })

  it('knows the other names of servers', async () => {
    for (const { name, create } of testEngines().filter(engine => engine.name !== 'SQLite')) {
      const { url, drop } = await create()
      onTestFinished(drop)
      const other = name === 'MariaDB' ? 'mariadb:' : 'PostgreSQL:'
      await writeTo(url.replace(/^\w+:/u, other))
    }
  })

  it('hands on the options of the one that is opened', async () => {
    const wrong = openDatabase(join(folder, 'app.db'), { sqlite: { busyTimeoutMs: -1 } })
    await expect(wrong).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await writeTo(join(folder, 'app.db'), { postgres: { maxConnections: -1 } })
  })

  it.each([
    '',
    'oracle://u:hunter2@h/d',
    'postgres//u:hunter2@h/d',
    'postgres:hunter2@h/d',
    'postgres://u:hunter2@h:port/d',
    'postgres://u:hunter2%zz@127.0.0.1:1/d',
    'mysql://u:hunter2%zz@127.0.0.1:1/d',
    'mysql//u:hunter2@h/d',
    'mysql://u:hun#ter2@h:x/d',
    'u:hunter2@h/d',
    'user:hunter2@h/d',
    'file://hunter2/app.db',
    'file:',
    'file:app.db?key=hunter2',
    'file:///app.db?key=hunter2',
    'file:////u:hunter2@h/d',
    'http://localhost/hunter2',
    'app.db\0',
  ])('says what an address looks like instead of %j, and shows nothing of it', async url => {
    const error: unknown = await openDatabase(url).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'WF_CONFIG' })
    const { message, cause, stack } = error as Error
    expect(message).toMatch(/postgres:\/\/user:password@host:5432\/name/u)
    expect(`${message} ${String(cause)} ${stack}`).not.toMatch(/hun.?ter2/u)
  })

  it.each(['u:hun/ter2@h/db', 'u;hunter2@h/db', 'h/db;password=hunter2'])(
    'does not quote %j, which may be an address, when there is no such file',
    async url => {
      const error: unknown = await openDatabase(url).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      const { message, cause, stack } = error as Error
      expect(`${message} ${String(cause)} ${stack}`).not.toMatch(/hun.?ter2/u)
    },
  )
})
