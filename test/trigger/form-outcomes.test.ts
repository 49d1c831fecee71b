import {
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { FakeClock } from '@atscript/moost-wf/testing'
import type { WfPeek } from '@atscript/moost-wf/strategies'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { notesOf } from '../../src/state'
import { DecisionForm as ChangedForm } from '../fixtures/schemas/next/decision-form.as'
import { type Approvals, openApprovals } from '../support/approval-app'
import { readFile } from '../support/project'
import type { Answer } from '../support/shop'

interface Row {
  readonly title: string
  readonly answer: string
}

const [, section = ''] = readFile('docs/outcomes.md').text.split('## A link that names its form')
const [table = ''] = section.split('\n## ')
const rows: Row[] = table
  .split('\n')
  .filter(line => /^\| [a-z]/u.test(line) && !line.startsWith('| before'))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, before = '', then = '', answer = '']) => ({ title: `${before} | ${then}`, answer }))

/** What came, and the app that it came from. */
interface Outcome {
  readonly app: Approvals
  readonly wfs: string
  readonly answer: Answer
}

const APPROVE = { decision: 'approve' }
const WRONG = { decision: 'maybe' }

async function outcome(
  app: Approvals,
  act: (wfs: string) => Promise<Answer>,
  wfs?: string,
): Promise<Outcome> {
  const token = wfs ?? (await app.ask())
  return { app, wfs: token, answer: await act(token) }
}

/** Two builds on one store: the link is opened in the first one. */
async function afterDeploy(input: object): Promise<Outcome> {
  const store = new WfStateStoreMemory()
  const config = () => ({ state: new HandleStateStrategy({ store }) })
  const before = await openApprovals({ config: config() })
  const wfs = await before.ask()
  await before.send({ wfs })
  const after = await openApprovals({ config: config(), form: ChangedForm })
  return outcome(after, () => after.send({ wfs, input }), wfs)
}

async function answeredThen(act: (app: Approvals, wfs: string) => Promise<Answer>) {
  const app = await openApprovals()
  return outcome(app, async wfs => {
    expect((await app.send({ wfs, input: APPROVE })).body.finished).toBe(true)
    return act(app, wfs)
  })
}

const fresh = async (act: (app: Approvals, wfs: string) => Promise<Answer>): Promise<Outcome> => {
  const app = await openApprovals()
  return outcome(app, wfs => act(app, wfs))
}

/** A link with a code beside it, and how that is entered where the flow was started. */
async function byCode(
  act: (app: Approvals, wfs: string, enter: (input?: object) => Promise<Answer>) => Promise<Answer>,
): Promise<Outcome> {
  const app = await openApprovals({ link: { code: true } })
  const { headers, body } = await app.send({ wfid: 'leave/request' })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const { token, code } = app.mails[0]!
  const enter = (input?: object) => app.send({ watch: body.watch, code, input }, { cookie })
  return outcome(app, wfs => act(app, wfs, enter), token)
}

/** A link that has expired and was sent anew. */
async function renewed(
  act: (app: Approvals, wfs: string, fresh: string) => Promise<Answer>,
): Promise<Outcome> {
  const clock = new FakeClock()
  const store = new WfStateStoreMemory({ clock })
  const state = new HandleStateStrategy({ store, clock, defaultTtl: 1000 })
  const app = await openApprovals({
    config: { state, clock, ledger: new WfLedgerMemory({ clock }) },
  })
  return outcome(app, async wfs => {
    clock.advance(1000)
    await app.send({ wfs, fresh: true })
    await expect.poll(() => app.mails.length).toBe(2)
    return act(app, wfs, app.mails[1]!.token)
  })
}

const scenarios: Record<string, () => Promise<Outcome>> = {
  'nothing | looked at by GET': () => fresh((app, wfs) => app.look(wfs)),
  'nothing | opened by POST': () => fresh((app, wfs) => app.send({ wfs })),
  'nothing | answered': () => fresh((app, wfs) => app.send({ wfs, input: APPROVE })),
  'opened, closed, opened on another device | answered there': () =>
    fresh(async (app, wfs) => {
      await app.send({ wfs }, { 'user-agent': 'laptop' })
      await app.send({ wfs }, { 'user-agent': 'phone' })
      return app.send({ wfs, input: APPROVE }, { 'user-agent': 'phone' })
    }),
  'opened in two tabs, answered in one | answered in the other': () =>
    fresh(async (app, wfs) => {
      await Promise.all([app.send({ wfs }), app.send({ wfs })])
      await app.send({ wfs, input: APPROVE })
      return app.send({ wfs, input: { decision: 'reject' } })
    }),
  'answered | opened': () => answeredThen((app, wfs) => app.send({ wfs })),
  'answered | looked at by GET': () => answeredThen((app, wfs) => app.look(wfs)),
  'nothing | answered, validation refuses': () =>
    fresh((app, wfs) => app.send({ wfs, input: WRONG })),
  'answered, and validation has refused | answered rightly': () =>
    fresh(async (app, wfs) => {
      await app.send({ wfs, input: WRONG })
      return app.send({ wfs, input: APPROVE })
    }),
  'nothing | answered, the step refuses': () =>
    fresh((app, wfs) => app.send({ wfs, input: { ...APPROVE, comment: 'hm' } })),
  'opened, expired since | answered': async () => {
    const clock = new FakeClock()
    const store = new WfStateStoreMemory({ clock })
    const state = new HandleStateStrategy({ store, clock, defaultTtl: 1000 })
    const app = await openApprovals({ config: { state, clock } })
    return outcome(app, async wfs => {
      await app.send({ wfs })
      clock.advance(1000)
      return app.send({ wfs, input: APPROVE })
    })
  },
  'opened, revoked since | answered': async () => {
    const replay = new WfLedgerMemory()
    const state = new EncapsulatedStateStrategy({ secret: randomBytes(32), replay })
    const app = await openApprovals({ config: { state } })
    return outcome(app, async wfs => {
      await app.send({ wfs })
      const peek = await state.forName('default').peek(wfs.slice('default.'.length))
      await state.revokeFlow(notesOf((peek as WfPeek).state)!.flow.flowId)
      return app.send({ wfs, input: APPROVE })
    })
  },
  'opened, the form was changed by a deploy | answered as it was': () => afterDeploy(APPROVE),
  'opened, the form was changed by a deploy | answered as it is now': () =>
    afterDeploy({ ...APPROVE, costCentre: '7' }),
  'an answer is being looked at elsewhere | opened': async () => {
    const store = new WfStateStoreMemory()
    const ledger = new WfLedgerMemory()
    const config = () => ({ state: new HandleStateStrategy({ store }), ledger })
    const here = await openApprovals({ config: config() })
    const wfs = await here.ask()
    let answer: Answer | undefined
    const there = await openApprovals({
      config: config(),
      whileDeciding: async () => {
        answer = await here.send({ wfs })
      },
    })
    await there.send({ wfs, input: APPROVE })
    return { app: here, wfs, answer: answer! }
  },
  'nothing | opened, a guard refuses': () =>
    fresh((app, wfs) => app.send({ wfs }, { 'x-user': 'mallory' })),
  'bound to a browser | opened in another one': async () => {
    const app = await openApprovals({ link: { link: 'sameBrowser' } })
    return outcome(app, wfs => app.send({ wfs }))
  },
  'opened by its code | opened again': () =>
    byCode(async (app, wfs, enter) => {
      expect((await enter()).body.inputRequired).toBeDefined()
      return app.send({ wfs })
    }),
  'answered by its code | opened': () =>
    byCode(async (app, wfs, enter) => {
      expect((await enter(APPROVE)).body.finished).toBe(true)
      return app.send({ wfs })
    }),
  'answered | its code is entered': () =>
    byCode(async (app, wfs, enter) => {
      await app.send({ wfs, input: APPROVE })
      return enter()
    }),
  'expired, a fresh link was sent | opened': () => renewed((app, wfs) => app.send({ wfs })),
  'expired, a fresh link was sent | the fresh one is answered': () =>
    renewed((app, _wfs, wfs) => app.send({ wfs, input: APPROVE })),
  'nothing, no token, the workflow described | its first form by GET': async () => {
    const app = await openApprovals({ config: { describe: ['leave/express'] } })
    return { app, wfs: '', answer: await app.describe('leave/express') }
  },
}

describe('what becomes of a link that names its form', () => {
  it('has a scenario for each row, and a row for each scenario', () => {
    expect(Object.keys(scenarios).toSorted()).toEqual(rows.map(({ title }) => title).toSorted())
  })

  it.each(rows)('$title: $answer', async ({ title, answer: expected }) => {
    const { app, wfs, answer } = await scenarios[title]!()
    const [, status, code] = /^(\d+)(?: `(\w+)`)?/u.exec(expected)!
    expect(answer.status).toBe(Number(status))
    expect(answer.body.error?.code).toBe(code)
    if (expected.includes('with `answered`')) expect(answer.body.error.answered).toBeDefined()
    if (expected.includes('with `restart`')) expect(answer.body.error.restart).toBeDefined()
    if (expected.includes('ends')) expect(answer.body.finished).toBe(true)
    const form = answer.body.inputRequired
    expect(form !== undefined).toBe(expected.includes('form'))
    if (expected.includes('without the context')) expect(form.context).toEqual({})
    if (expected.includes('with the context')) expect(form.context).toEqual({ reason: 'the sea' })
    if (expected.includes('with the errors')) expect(form.context.errors).toBeDefined()
    if (expected.includes('the new form'))
      expect(form.payload.type.props).toHaveProperty('costCentre')
    if (expected.includes('nothing is started'))
      expect([app.ran, answer.body.wfs]).toEqual([[], undefined])
    if (expected.includes('the link lives')) {
      const input = title.includes('deploy') ? { ...APPROVE, costCentre: '7' } : APPROVE
      const bound = title.startsWith('bound')
      const again = await app.send({ wfs, input }, bound ? { cookie: app.browserCookie() } : {})
      expect(again.body.finished).toBe(true)
    }
  })
})
