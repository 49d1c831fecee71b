import pg from 'pg'
import { describe, expect, it, type TestContext } from 'vitest'
import { UserRow } from '../../example-app/schemas/UserRow.as'
import { WfRunRow } from '../../example-app/schemas/WfRunRows.as'
import { testEngines } from '../support/databases'
import {
  type ExampleApp,
  newFolder,
  startExampleApp,
  tokenIn,
  type Visitor,
} from '../support/example-app'

const EMAIL = 'ida@example.com'
const ANSWER = { name: 'Ida', password: 'a-long-enough-password' }
/** A lease is ten seconds. */
const RECOVERY = { timeout: 40_000, interval: 100 }
const SOON = { timeout: 10_000, interval: 20 }

type OnEnd = TestContext['onTestFinished']

/** Only there can a table be kept from being written to, and yet be read. */
const postgres = testEngines().filter(({ name }) => name === 'PostgreSQL')

describe.each(postgres)('an application on $name that is told to stop', ({ create }) => {
  async function openApp(onEnd: OnEnd) {
    const DATA_DIR = newFolder(onEnd)
    const database = await create()
    const space = database.open()
    const watcher = new pg.Client(database.url)
    await watcher.connect()
    onEnd(async () => {
      await watcher.end()
      await space.close()
      await database.drop()
    })
    const runs = space.table(WfRunRow)
    const users = space.table(UserRow)
    return {
      // One folder for all of them: the secret and the inbox are in it.
      start: () => startExampleApp({ DATABASE_URL: database.url, DATA_DIR }, { onEnd }),
      runOf: () => runs.findOne({ filter: { inviteEmail: EMAIL } }),
      accounts: () => users.count({ filter: { email: EMAIL } }),
      /** Keeps a table from being written to. Gives what ends that. */
      lock: async (table: string) => {
        const locker = new pg.Client(database.url)
        await locker.connect()
        onEnd(() => locker.end())
        await locker.query(`begin; lock table ${table} in exclusive mode`)
        return () => locker.query('rollback')
      },
      /** The server would go on with a statement whose process is dead. */
      forgetWaiting: () =>
        watcher.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      /** How many statements wait for the lock. */
      waiting: async () => {
        const { rows } = await watcher.query(
          `select count(*)::int as count from pg_locks where not granted and database =
            (select oid from pg_database where datname = current_database())`,
        )
        return (rows[0] as { count: number }).count
      },
    }
  }

  const invite = (admin: Visitor) =>
    admin.wf({ wfid: 'users/invite', input: { email: EMAIL, role: 'member' } })

  async function signedIn(app: ExampleApp): Promise<Visitor> {
    const admin = app.visitor()
    await admin.signInAdmin()
    return admin
  }

  it('finishes the step that its worker has begun, and loses nothing', async ({
    onTestFinished,
  }) => {
    const { start, lock, waiting, forgetWaiting, runOf, accounts } = await openApp(onTestFinished)
    const killed = await start()
    const admin = await signedIn(killed)
    const unlockOutbox = await lock('wf_run_outbox')
    invite(admin).catch(() => {})
    // Behind the first step: the second one has sent its mail to the outbox, which takes none.
    await expect.poll(waiting, SOON).toBeGreaterThan(0)
    const { claimSeq, status, version } = (await runOf())!
    expect(status).toBe('active')
    killed.child.kill('SIGKILL')
    await forgetWaiting()
    await expect.poll(waiting, SOON).toBe(0)

    const unlockRuns = await lock('wf_runs')
    const stopped = await start()
    // Its worker is about to go on with the run.
    await expect.poll(waiting, RECOVERY).toBeGreaterThan(0)
    const stopping = stopped.stop()
    await expect.poll(stopped.output, SOON).toContain('Stopping.')
    // It takes no requests any more.
    await expect.poll(() => fetch(stopped.url).catch(() => 'closed'), SOON).toBe('closed')
    await unlockRuns()
    // It is in the middle of the step, which waits for the outbox.
    await expect.poll(async () => (await runOf())?.claimSeq, SOON).toBe(Number(claimSeq) + 1)
    await expect.poll(waiting, SOON).toBeGreaterThan(0)
    expect(stopped.child.exitCode).toBeNull()
    await unlockOutbox()
    expect(await stopping).toEqual([0, null])
    const run = (await runOf())!
    expect(run).toMatchObject({ status: 'paused', leaseOwner: null })
    expect(run.version).toBeGreaterThan(version)

    const later = await start()
    const wfs = tokenIn(await later.mailTo(EMAIL))
    expect(await later.mails()).toHaveLength(1)
    expect((await later.visitor().wf({ wfs, input: ANSWER })).body.finished).toBe(true)
    expect(await accounts()).toBe(1)
  })

  it('answers whoever has asked, and loses nothing', async ({ onTestFinished }) => {
    const { start, lock, waiting, runOf, accounts } = await openApp(onTestFinished)
    const stopped = await start()
    await invite(await signedIn(stopped))
    const wfs = tokenIn(await stopped.mailTo(EMAIL))
    const unlock = await lock('sessions')
    const answering = stopped.visitor().wf({ wfs, input: ANSWER })
    await expect.poll(waiting, SOON).toBeGreaterThan(0)
    const stopping = stopped.stop()
    await expect.poll(stopped.output, SOON).toContain('Stopping.')
    expect(stopped.child.exitCode).toBeNull()
    await unlock()
    const { status, body } = await answering
    expect([status, body.finished]).toEqual([200, true])
    expect(await stopping).toEqual([0, null])
    expect(await runOf()).toMatchObject({ status: 'completed' })
    expect(await accounts()).toBe(1)
  })
})
