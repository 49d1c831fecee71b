import { describe, expect, it } from 'vitest'
import { ADA, BOB, DAN } from '../support/panel-app'
import { openPanel, type Panel } from '../support/panel-endpoint'
import { readFile } from '../support/project'
import type { Answer, Door } from '../support/shop'

interface Row {
  readonly title: string
  readonly answer: string
}

const DOORS: readonly Door[] = ['a socket', 'fetch']

const [, section = ''] = readFile('docs/outcomes.md').text.split(
  '## A link of one of several people',
)
const rows: Row[] = section
  .split('\n')
  .filter(line => /^\| [a-z]/iu.test(line) && !line.startsWith('| before'))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, before = '', then = '', answer = '']) => ({ title: `${before} | ${then}`, answer }))

type Scenario = (door: Door) => Promise<{ readonly panel: Panel; readonly answer: Answer }>

const asking =
  (act: (panel: Panel) => Promise<Answer>, asked: Parameters<typeof openPanel>[1] = {}): Scenario =>
  async door => {
    const panel = await openPanel(door, asked)
    return { panel, answer: await act(panel) }
  }

const agree = (panel: Panel, to: string, user?: string) =>
  panel.say(panel.linkOf(to), 'approve', user)
const refuse = (panel: Panel, to: string) => panel.say(panel.linkOf(to), 'reject')

/** @returns the link that Ada had */
async function handToDan(panel: Panel): Promise<string> {
  const former = panel.linkOf(ADA)
  await panel.say(former, 'delegate', undefined, { input: { comment: DAN } })
  await panel.api.runDue()
  return former
}

const behind =
  (before: (panel: Panel) => Promise<unknown>, act: (panel: Panel) => Promise<Answer>) =>
  async (panel: Panel) => {
    await before(panel)
    return act(panel)
  }
const agreed = (act: (panel: Panel) => Promise<Answer>) =>
  asking(behind(panel => agree(panel, ADA), act))

const CODED = { people: [{ to: ADA, requireCode: true }, { to: BOB }] }
/** No code of ours: they are of 40 bits. */
const GUESS = '0000-0000'

const guess = (panel: Panel) => panel.say(panel.linkOf(ADA), 'approve', undefined, { code: GUESS })

/** Ada has got a code, and something is done with it. */
const withCode = (act: (panel: Panel, code: string) => Promise<Answer>) =>
  asking(async panel => act(panel, await panel.codeFor(ADA)), CODED)
const approve = (panel: Panel, code: string, more: object = {}) =>
  panel.say(panel.linkOf(ADA), 'approve', undefined, { code, ...more })

const SIGNED_IN = { people: [{ to: ADA, requireUser: true as const }, { to: BOB }] }
const REQUEST = 'a-request-id-of-22-characters'

const scenarios: Record<string, Scenario> = {
  'nothing | looked at by GET': asking(panel => panel.look(panel.linkOf(ADA))),
  'nothing | opened by POST': asking(panel => panel.open(panel.linkOf(ADA))),
  'nothing | Ada agrees': asking(panel => agree(panel, ADA)),
  'nothing | Ada agrees, who may change that': asking(panel => agree(panel, ADA), {
    how: { quorum: 'all', canChange: true },
  }),
  'nothing | Ada asks a question': asking(panel =>
    panel.say(panel.linkOf(ADA), '', undefined, { action: undefined, input: { comment: 'why?' } }),
  ),
  'nothing | Ada refuses': asking(panel => refuse(panel, ADA)),
  'nothing | Ada answers, validation refuses': asking(panel =>
    panel.say(panel.linkOf(ADA), 'approve', undefined, { input: { comment: 'x'.repeat(201) } }),
  ),
  'nothing | Ada hands it on to Dan': asking(panel =>
    panel.say(panel.linkOf(ADA), 'delegate', undefined, { input: { comment: DAN } }),
  ),
  'Ada has handed it on to Dan | Ada agrees': asking(async panel =>
    panel.say(await handToDan(panel), 'approve'),
  ),
  'Ada has handed it on to Dan | Dan agrees': asking(behind(handToDan, panel => agree(panel, DAN))),
  'Ada agreed | Ada refuses': agreed(panel => refuse(panel, ADA)),
  'Ada agreed | her link is looked at by GET': agreed(panel => panel.look(panel.linkOf(ADA))),
  'Ada agreed | her answer is sent again with its request id': asking(panel => {
    const send = () => panel.say(panel.linkOf(ADA), 'approve', undefined, { requestId: REQUEST })
    return send().then(send)
  }),
  'Ada agreed | Bob sends his by her request id': asking(async panel => {
    const send = (to: string) =>
      panel.say(panel.linkOf(to), 'approve', undefined, { requestId: REQUEST })
    await send(ADA)
    return send(BOB)
  }),
  'Ada agreed | Bob agrees': agreed(panel => agree(panel, BOB)),
  'Ada refused | Bob agrees': asking(
    behind(
      panel => refuse(panel, ADA),
      panel => agree(panel, BOB),
    ),
  ),
  'nothing, Ada must be signed in | opened by nobody': asking(
    panel => panel.open(panel.linkOf(ADA)),
    SIGNED_IN,
  ),
  'nothing, Ada must be signed in | looked at by another user': asking(
    panel => panel.look(panel.linkOf(ADA), 'eve'),
    SIGNED_IN,
  ),
  "nothing, Ada must be signed in | Ada's link is answered by another user": asking(
    panel => agree(panel, ADA, 'eve'),
    SIGNED_IN,
  ),
  'nothing, Ada must be signed in | Ada agrees, signed in': asking(
    panel => agree(panel, ADA, ADA),
    SIGNED_IN,
  ),
  "nothing, Bob may not decide | Bob answers by Ada's link": asking(
    panel => agree(panel, ADA, BOB),
    { how: { quorum: 'all', except: [BOB] } },
  ),
  'nothing, Ada needs a code | looked at by GET': asking(
    panel => panel.look(panel.linkOf(ADA)),
    CODED,
  ),
  'nothing, Ada needs a code | opened by POST': asking(
    panel => panel.open(panel.linkOf(ADA)),
    CODED,
  ),
  'nothing, Ada needs a code | Ada agrees': asking(panel => agree(panel, ADA), CODED),
  'nothing, Ada needs a code | a code is guessed': asking(guess, CODED),
  'nothing, Ada needs a code | a code is asked for': asking(
    panel => panel.send({ wfs: panel.linkOf(ADA), sendCode: true }),
    CODED,
  ),
  "nothing, Ada needs a code | a code is asked for by Bob's link": asking(
    panel => panel.send({ wfs: panel.linkOf(BOB), sendCode: true }),
    CODED,
  ),
  'Ada has got a code | looked at by GET': withCode(panel => panel.look(panel.linkOf(ADA))),
  'Ada has got a code | opened by POST with it': withCode((panel, code) =>
    panel.send({ wfs: panel.linkOf(ADA), code }),
  ),
  'Ada has got a code | Ada agrees without it': withCode(panel => agree(panel, ADA)),
  'Ada has got a code | Ada agrees with it': withCode(approve),
  'Ada has got a code | Ada answers with it, validation refuses': withCode((panel, code) =>
    approve(panel, code, { input: { comment: 'x'.repeat(201) } }),
  ),
  'Ada has got a code | a wrong one is typed': withCode(guess),
  'Ada has got a code | a sixth wrong one is typed': withCode(async panel => {
    for (let tries = 0; tries < 5; tries++) await guess(panel)
    return guess(panel)
  }),
  'Ada has got a code | Ada agrees with it after ten minutes': withCode((panel, code) => {
    panel.clock.advance(10 * 60_000)
    return approve(panel, code)
  }),
  'Ada has got a code | her answer is sent again with its request id': withCode((panel, code) => {
    const send = () => approve(panel, code, { requestId: REQUEST })
    return send().then(send)
  }),
  "Bob agreed, signed in | Bob answers by Ada's link": asking(
    behind(
      panel => agree(panel, BOB, BOB),
      panel => agree(panel, ADA, BOB),
    ),
  ),
}

describe('what becomes of a link of one of several people', () => {
  it('has a scenario for each row, and a row for each scenario', () => {
    expect(Object.keys(scenarios).toSorted()).toEqual(rows.map(({ title }) => title).toSorted())
  })

  describe.each(DOORS)('by %s', door => {
    it.each(rows)('$title: $answer', async ({ title, answer: expected }) => {
      const { panel, answer } = await scenarios[title]!(door)
      const [, status, code] = /^(\d+)(?: `(WF_\w+)`)?/u.exec(expected)!
      expect(answer.status).toBe(Number(status))
      expect(answer.body.error?.code).toBe(code)
      if (expected.includes('with `answered`')) expect(answer.body.error.answered).toBeDefined()
      expect(answer.body.noted).toBe(expected.includes('`noted`') || undefined)
      expect(answer.body.accepted).toBe(expected.includes('`accepted`') || undefined)
      const [, triesLeft] = /`triesLeft` of (\d)/u.exec(expected) ?? []
      expect(answer.body.error?.triesLeft).toBe(triesLeft && Number(triesLeft))
      expect(answer.body.canChange).toBe(expected.includes('`canChange`') || undefined)
      expect(answer.body.finished).toBe(expected.includes('ends') || undefined)
      const form = answer.body.inputRequired
      expect(form !== undefined).toBe(expected.includes('the form'))
      if (expected.includes('without the context')) expect(form.context).toEqual({})
      if (expected.includes('with the context')) expect(form.context).toMatchObject({ amount: 7 })
      if (expected.includes('with the errors')) expect(form.context.errors).toBeDefined()
      if (expected.includes("Bob's link lives")) {
        expect((await panel.open(panel.linkOf(BOB))).body.inputRequired).toBeDefined()
      }
      if (expected.includes('her link lives')) {
        expect((await agree(panel, ADA)).body.noted).toBe(true)
      }
      // Whoever is refused leaves nothing behind: it can still be decided.
      if (code === 'WF_WRONG_USER') {
        const shown = await panel.open(panel.linkOf(ADA), ADA)
        expect(shown.body.inputRequired).toBeDefined()
      }
    })
  })
})
