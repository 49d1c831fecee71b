import pg from 'pg'
import { describe, expect, it, type TestContext, vi } from 'vitest'
import { join } from 'node:path'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
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

const ANSWER = { name: 'Ida', password: 'a-long-enough-password' }
const EMAIL = 'ida@example.com'
/** A lease is ten seconds, and the application has to start. */
const RECOVERY_MS = 40_000
const MOST_TRIES = 10

type Engine = ReturnType<typeof testEngines>[number]
type OnEnd = TestContext['onTestFinished']

/** The application, which can be killed and started again, and the tables that survive it. */
async function openApp({ name, create }: Engine, onEnd: OnEnd) {
  const { env, url, space, drop } = name === 'SQLite' ? inFolder(onEnd) : await onServer(create)
  const runs = space.table(WfRunRow)
  const users = space.table(UserRow)
  onEnd(async () => {
    await space.close()
    await drop()
  })
  let cookies: Visitor['cookies'] | undefined
  return {
    url,
    /** Its admin has a session, which survives too. */
    async start() {
      const app = await startExampleApp(env, { onEnd })
      const admin = app.visitor()
      for (const [key, value] of cookies ?? []) admin.cookies.set(key, value)
      if (!cookies) await admin.signInAdmin()
      ;({ cookies } = admin)
      expect(await admin.user()).toMatchObject({ role: 'admin' })
      return { app, admin }
    },
    runOf: (email = EMAIL) => runs.findOne({ filter: { inviteEmail: email } }),
    accountsOf: (email = EMAIL) => users.count({ filter: { email } }),
  }
}

function inFolder(onEnd: OnEnd) {
  const DATA_DIR = newFolder(onEnd)
  const url = join(DATA_DIR, 'app.db')
  return { env: { DATA_DIR }, url, space: openSqlite(url), drop: async () => {} }
}

async function onServer(create: Engine['create']) {
  const database = await create()
  const { url } = database
  return { env: { DATABASE_URL: url }, url, space: database.open(), drop: () => database.drop() }
}

async function invite(app: ExampleApp, admin: Visitor, email = EMAIL): Promise<string> {
  await admin.wf({ wfid: 'users/invite', input: { email, role: 'member' } })
  return tokenIn(await app.mailTo(email))
}

/** Sends an answer that nobody will hear of. */
function answerInVain(app: ExampleApp, wfs: string): void {
  app
    .visitor()
    .wf({ wfs, input: ANSWER })
    .catch(() => {})
}

async function kill({ child }: ExampleApp): Promise<void> {
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** The application takes the run up by itself. A password is not kept, so it waits for who has the link. */
async function waitUntilAskedAgain(admin: Visitor, flowId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { body } = await admin.get(`/api/admin/runs/${flowId}`)
      expect(body.history.slice(-2)).toMatchObject([
        { type: 'recovered', actor: 'worker', detail: { reason: 'lost' } },
        { type: 'waiting', actor: 'worker', detail: { code: 'WF_NEEDS_REQUEST' } },
      ])
    },
    { timeout: RECOVERY_MS, interval: 250 },
  )
}

describe.concurrent.each(testEngines())('an application on $name that is killed', engine => {
  it('in the step that accepts an invitation asks again after its restart, and ends', async ({
    onTestFinished,
  }) => {
    const { start, runOf, accountsOf } = await openApp(engine, onTestFinished)
    const { wfs, email } = await killInStep()
    const { app, admin } = await start()
    await waitUntilAskedAgain(admin, (await runOf(email))!.flowId)
    // Where the inbox has outlived the process, it has the mail that was sent before.
    const others = (await app.mails()).filter(({ text }) => !text.includes(wfs))
    expect(others).toEqual([])

    const ida = app.visitor()
    const opened = await ida.wf({ wfs })
    expect(opened.body.inputRequired.payload.id).toBe('AcceptForm')
    expect(opened.body.inputRequired.context.invite.email).toBe(email)
    expect((await ida.wf({ wfs, input: ANSWER })).body.finished).toBe(true)
    expect(await ida.user()).toMatchObject({ email, role: 'member' })
    expect(await runOf(email)).toMatchObject({ status: 'completed' })
    expect(await accountsOf(email)).toBe(1)
    expect((await app.visitor().wf({ wfs })).body.error.code).toBe('WF_USED')

    /** The step takes as long as a password takes to be hashed. One that was faster than we does not count. */
    async function killInStep() {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { app: first, admin } = await start()
        const email = `ida${tries}@example.com`
        const wfs = await invite(first, admin, email)
        answerInVain(first, wfs)
        await expect
          .poll(async () => isBegun(await runOf(email)), { timeout: 5000, interval: 1 })
          .toBe(true)
        await kill(first)
        const run = await runOf(email)
        if (run?.leaseOwner && (await accountsOf(email)) === 0) {
          expect(JSON.stringify(run)).not.toContain(ANSWER.password)
          return { wfs, email }
        }
      }
      throw new Error(`The step was faster, ${MOST_TRIES} times.`)
    }
  })
})

const isBegun = (run: { leaseOwner?: string | null; status: string } | null) =>
  Boolean(run?.leaseOwner) || run?.status === 'completed'

/** Only there can a table be kept from being written to, and yet be read. */
const postgres = testEngines().filter(({ name }) => name === 'PostgreSQL')

describe.concurrent.each(postgres)(
  'an application on $name that is killed behind the account',
  engine => {
    /** The account is there, the session is not, and nor is the end of the run. */
    async function killBehindAccount(onEnd: OnEnd) {
      const opened = await openApp(engine, onEnd)
      const { app: first, admin } = await opened.start()
      const wfs = await invite(first, admin)
      const locker = new pg.Client(opened.url)
      await locker.connect()
      await locker.query('begin; lock table sessions in exclusive mode')
      answerInVain(first, wfs)
      await expect.poll(() => opened.accountsOf(), { timeout: 5000 }).toBe(1)
      await kill(first)
      await locker.end()
      const later = await opened.start()
      const { flowId, status } = (await opened.runOf())!
      expect(status).toBe('paused')
      await waitUntilAskedAgain(later.admin, flowId)
      return { ...opened, ...later, wfs }
    }

    it('makes no second one, and signs in who comes again', async ({ onTestFinished }) => {
      const { app, wfs, accountsOf, runOf } = await killBehindAccount(onTestFinished)
      const ida = app.visitor()
      expect((await ida.wf({ wfs, input: ANSWER })).body.finished).toBe(true)
      expect(await ida.user()).toMatchObject({ email: EMAIL, name: 'Ida' })
      expect(await accountsOf()).toBe(1)
      expect(await runOf()).toMatchObject({ status: 'completed' })
    })

    it('tells who comes with another password to sign in', async ({ onTestFinished }) => {
      const { app, wfs, accountsOf } = await killBehindAccount(onTestFinished)
      const input = { name: 'Eve', password: 'another-long-password' }
      const { body } = await app.visitor().wf({ wfs, input })
      expect(body).toMatchObject({ aborted: true, reason: 'account-exists' })
      expect((await app.visitor().signIn(EMAIL, ANSWER.password)).body.finished).toBe(true)
      expect(await accountsOf()).toBe(1)
    })
  },
)
