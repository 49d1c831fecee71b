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
