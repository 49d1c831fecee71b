import { expect, it, vi } from 'vitest'
import { consumeRuns } from '../../example-app/worker/src/runs/consume-runs'
import { startMailProvider } from '../support/mail-provider'
import { newFolder } from '../support/example-app'
import { startWorkerApp, type WorkerApp } from '../support/worker-app'

const EVERYBODY = ['admin@example.com', 'manager@example.com', 'member@example.com']

/** News for everybody, which the queue sends. */
async function writeNews(app: WorkerApp): Promise<string> {
  const admin = await app.signIn('admin')
  const input = { subject: 'News', text: 'There is cake.' }
  const { body } = await admin.wf({ wfid: 'news/write', input })
  expect(body).toMatchObject({ finished: true, message: 'It is on its way to 3 people.' })
  return body.data.flowId as string
}

const runOf = async (app: WorkerApp, flowId: string) =>
  (await app.sql('select * from wf_runs where "flowId" = ?', flowId))[0]

/** What has happened to a run, the oldest first. */
const eventsOf = (app: WorkerApp, flowId: string) =>
  app.sql(
    'select type, "stepId", detail from wf_run_events where "flowId" = ? order by seq',
    flowId,
  )

const ended = (app: WorkerApp, flowId: string) =>
  vi.waitFor(async () => expect(await runOf(app, flowId)).toMatchObject({ status: 'completed' }), {
    timeout: 20_000,
    interval: 100,
  })

const failed = (app: WorkerApp, flowId: string) =>
  vi.waitFor(async () => expect(await runOf(app, flowId)).toMatchObject({ status: 'error' }), {
    timeout: 10_000,
  })

/** As if it had been long ago that anybody worked on it, and that it had failed. */
const letTimePass = (app: WorkerApp) =>
  app.sql(
    `update wf_runs set "leaseUntil" = case when "leaseUntil" is null then null else 1 end,
       "dueAt" = case when "dueAt" is null then null else 1 end`,
  )

it('sends news behind the answer, by the queue, to each once', async () => {
  const app = await startWorkerApp()
  const flowId = await writeNews(app)
  await ended(app, flowId)
  const mails = (await app.visitor().mails()).filter(({ subject }) => subject === 'News')
  expect(mails.map(({ to }) => to).toSorted()).toEqual(EVERYBODY)
})

it('hands a run on that has more steps than its time allows', async () => {
  const provider = await startMailProvider()
  const bindings = { MAIL_URL: provider.url, MAIL_KEY: 'the key', RUN_BUDGET_MS: '1' }
  const app = await startWorkerApp({ bindings })
  const flowId = await writeNews(app)
  await ended(app, flowId)
  const events = await eventsOf(app, flowId)
  const handedOn = events.filter(({ detail }) => String(detail).includes('handed_on'))
  expect(handedOn.length, 'more than one event of the queue').toBeGreaterThan(1)
  expect(provider.taken.map(({ to }) => to)).toEqual(EVERYBODY)
  expect(new Set(provider.taken.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer the key']),
  )
})

it('does nothing twice where a message comes twice', async () => {
  const provider = await startMailProvider()
  const app = await startWorkerApp({ bindings: { MAIL_URL: provider.url } })
  provider.become('hold')
  const flowId = await writeNews(app)
  await vi.waitFor(() => expect(provider.held()).toBe(1), { timeout: 10_000 })
  const again = await app.deliver({ flowId }, { flowId })
  expect(again.outcome).toBe('ok')
  expect(again.explicitAcks).toHaveLength(2)
  expect(provider.taken).toHaveLength(1)
})

it('takes a message whose run is over, and one that is none of ours, and does nothing', async () => {
  const app = await startWorkerApp()
  const flowId = await writeNews(app)
  await ended(app, flowId)
  const before = await eventsOf(app, flowId)
  const bodies = [{ flowId }, { flowId: 'no such run' }, null, 'text', { flowId: 7 }, [flowId]]
  const { outcome, explicitAcks, retryMessages } = await app.deliver(...bodies)
  expect(outcome).toBe('ok')
  expect(explicitAcks).toHaveLength(bodies.length)
  expect(retryMessages).toEqual([])
  expect(await eventsOf(app, flowId)).toEqual(before)
})

it('asks nobody about a message that is none of ours', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const asked: unknown[] = []
  const done: unknown[] = []
  const executor = {
    execute: async (flowId: string) => {
      asked.push(flowId)
      return { done: true }
    },
    handOn: async () => {},
  }
  const bodies = [null, undefined, 'text', 7, {}, { flowId: 7 }, { flowId: ['a'] }, { flowId: 'a' }]
  const messages = bodies.map(body => ({ body, ack: () => done.push(body), retry: () => {} }))
  await consumeRuns(executor, messages)
  expect(asked).toEqual(['a'])
  expect(done).toHaveLength(bodies.length)
  expect(logged).toHaveBeenCalledTimes(bodies.length - 1)
})

it('goes on by the cron trigger with a step that has failed', async () => {
  const provider = await startMailProvider()
  const app = await startWorkerApp({ bindings: { MAIL_URL: provider.url } })
  provider.become('refuse')
  const flowId = await writeNews(app)
  await failed(app, flowId)
  provider.become('take')
  await app.tick()
  expect(provider.taken, 'not before its time').toHaveLength(1)
  await letTimePass(app)
  await app.tick()
  await ended(app, flowId)
  const [refused, ...accepted] = provider.taken
  expect(accepted.map(({ to }) => to)).toEqual(EVERYBODY)
  expect(accepted[0]!.id, 'the provider knows it again').toBe(refused!.id)
})

it('goes on by the cron trigger with a run whose consumer could not reach the database', async () => {
  const provider = await startMailProvider()
  const app = await startWorkerApp({ bindings: { MAIL_URL: provider.url } })
  provider.become('refuse')
  const flowId = await writeNews(app)
  await failed(app, flowId)
  provider.become('take')
  await letTimePass(app)
  await app.sql('alter table wf_runs rename to elsewhere')
  expect((await app.deliver({ flowId })).outcome).toBe('ok')
  await app.sql('alter table elsewhere rename to wf_runs')
  expect(provider.taken).toHaveLength(1)
  await app.tick()
  await ended(app, flowId)
  expect(provider.taken.slice(1).map(({ to }) => to)).toEqual(EVERYBODY)
})

it('goes on by the cron trigger with a run that was cut off in the middle of a step', async () => {
  const provider = await startMailProvider()
  const dataDir = newFolder()
  const bindings = { MAIL_URL: provider.url }
  const first = await startWorkerApp({ dataDir, bindings })
  provider.become('take')
  const flowId = await writeNews(first)
  await ended(first, flowId)
  provider.taken.length = 0

  provider.become('hold')
  const cut = await writeNews(first)
  await vi.waitFor(() => expect(provider.held()).toBe(1), { timeout: 10_000 })
  // workerd is killed, and what its queue had with it.
  await first.close()
  provider.become('take')

  const second = await startWorkerApp({ dataDir, bindings })
  await second.tick()
  expect(provider.taken, 'its lease still holds').toHaveLength(1)
  await letTimePass(second)
  await second.tick()
  await ended(second, cut)
  const [lost, ...sent] = provider.taken
  expect(sent.map(({ to }) => to)).toEqual(EVERYBODY)
  expect(sent[0]!.id, 'the same step, by the same id').toBe(lost!.id)
  const events = await eventsOf(second, cut)
  expect(events.filter(({ type }) => type === 'recovered')).not.toEqual([])
})

it('goes on by the cron trigger where whoever decided has left in the middle of a step', async () => {
  const provider = await startMailProvider()
  const app = await startWorkerApp({ bindings: { MAIL_URL: provider.url } })
  const member = await app.signIn('member')
  const input = { amount: 42, reason: 'Books' }
  await member.wf({ wfid: 'approvals/expense', input })
  await vi.waitFor(() => expect(provider.taken).toHaveLength(1), { timeout: 10_000 })
  const wfs = decodeURIComponent(/#wfs=(\S+)/u.exec(provider.taken[0]!.text)![1]!)

  provider.become('hold')
  const leaving = new AbortController()
  const decided = fetch(`${app.url}/api/wf`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wfs, input: {} }),
    signal: leaving.signal,
  })
  await vi.waitFor(() => expect(provider.held()).toBe(1), { timeout: 10_000 })
  leaving.abort()
  await expect(decided).rejects.toThrow('aborted')
  provider.become('take')

  // The same workerd goes on, with all that it remembers of the request that was cut off.
  const [{ flowId }] = (await app.sql('select "flowId" from wf_runs')) as [{ flowId: string }]
  await vi.waitFor(
    async () => {
      await letTimePass(app)
      await app.tick()
      expect(await runOf(app, flowId)).toMatchObject({ status: 'completed' })
    },
    { timeout: 20_000, interval: 500 },
  )
  const told = provider.taken.filter(({ to }) => to === 'member@example.com')
  expect(new Set(told.map(({ id }) => id)).size, 'one mail').toBe(1)
})

it('sends a mail that its provider did not take when the cron trigger comes', async () => {
  const provider = await startMailProvider()
  const app = await startWorkerApp({ bindings: { MAIL_URL: provider.url } })
  provider.become('refuse')
  const admin = await app.signIn('admin')
  const input = { email: 'grace@example.com', role: 'member' }
  const { body } = await admin.wf({ wfid: 'users/invite', input })
  expect(body).toMatchObject({ sent: true, queued: true })
  await vi.waitFor(() => expect(provider.taken).toHaveLength(1), { timeout: 10_000 })
  provider.become('take')
  await vi.waitFor(
    async () => {
      await app.sql('update wf_run_outbox set "dueAt" = 1 where "dueAt" is not null')
      await app.tick()
      expect(provider.taken.length).toBeGreaterThan(1)
    },
    { timeout: 10_000, interval: 200 },
  )
  expect(new Set(provider.taken.map(({ id }) => id)).size, 'one mail').toBe(1)
})

it('removes by night what has expired, and nothing else', async () => {
  const app = await startWorkerApp()
  const admin = await app.signIn('admin')
  await app.signIn('member')
  const flowId = await writeNews(app)
  await ended(app, flowId)
  await app.sql(
    'update sessions set "expiresAt" = 1 where "userId" in (select id from users where role = ?)',
    'member',
  )
  await app.tick('17 3 * * *')
  expect(await admin.user()).toMatchObject({ role: 'admin' })
  expect(await app.sql('select * from sessions where "expiresAt" = 1')).toEqual([])
  expect(await runOf(app, flowId), 'ended today').toBeDefined()
  await app.sql('update wf_runs set "completedAt" = 1, "dueAt" = null')
  await app.tick('17 3 * * *')
  expect(await runOf(app, flowId)).toBeUndefined()
})
