import { handOn, outletEach, WfLedgerMemory } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import type { Logger } from '@wooksjs/event-core'
import { describe, expect, it } from 'vitest'
import { ReviewForm } from '../fixtures/schemas/vote-form.as'
import { ADA, ask, askAll, BOB, CLEO, DAN, openPanelApp } from '../support/panel-app'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const NEEDED = { kind: 'refused', code: 'WF_CODE_NEEDED', reason: 'code-needed' }
const WRONG = { kind: 'refused', code: 'WF_CODE_WRONG', reason: 'code-needed' }
const TOO_MANY = { kind: 'refused', code: 'WF_TOO_MANY' }
const NOTED = { kind: 'noted' }
const DONE = { kind: 'finished' }
/** No code of ours: they are of 40 bits. */
const GUESS = '0000-0000'

const CODED = [{ to: ADA, requireCode: true }, { to: BOB }]

/** A ledger that tells what is in it. */
function openLedger(clock: FakeClock) {
  const ledger = new WfLedgerMemory({ clock })
  const written: string[] = []
  const { put } = ledger
  ledger.put = (kind, key, data, until) => {
    written.push(`${kind} ${key} ${data}`)
    return put.call(ledger, kind, key, data, until)
  }
  return { ledger, written }
}

const fresh = (options: Parameters<typeof openPanelApp>[1] = {}) => {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  return openPanelApp({ clock, runs }, options)
}

/** An application in which Ada needs a code. */
async function coded(...[people = CODED, how]: Partial<Parameters<Asking['start']>>) {
  const app = await fresh()
  return { ...app, started: await app.start(people, how) }
}
type Asking = Awaited<ReturnType<typeof openPanelApp>>

describe('a link that needs a code', () => {
  it('neither shows its form nor answers it', async () => {
    const app = await coded()
    const { runner, latest } = app
    expect(await runner.peek(latest(ADA))).toMatchObject(NEEDED)
    expect(await runner.resume(latest(ADA))).toMatchObject(NEEDED)
    expect(await app.vote(ADA, 'approve')).toMatchObject(NEEDED)
    expect(await app.vote(ADA, 'approve', { code: GUESS })).toMatchObject(NEEDED)
    // Nobody is told what there is, and nothing was sent to anyone.
    expect(await runner.peek(latest(ADA))).not.toHaveProperty('restart', expect.anything())
    expect(app.codes).toEqual([])
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
  })

  it('sends it when it is asked for, to where the link went, and without the link', async () => {
    const app = await coded()
    const code = await app.codeFor(ADA)
    expect(app.codes).toEqual([{ by: 'email', target: ADA, template: 'code', code, token: '' }])
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/u)
    expect(await app.runner.resume(app.latest(ADA))).toMatchObject({ ...NEEDED, triesLeft: 5 })
    const shown = await app.runner.resume(app.latest(ADA), { code })
    expect(shown).toMatchObject({ kind: 'paused', context: { amount: 7 } })
    const typed = code.toLowerCase().replace('-', ' ')
    expect(await app.vote(ADA, 'approve', { code: typed })).toMatchObject(NOTED)
  })

  it('sends it to another address by another outlet, if it should', async () => {
    const requireCode = { outlet: 'sms', to: '+49 1', template: 'your-code' }
    const app = await coded([{ to: ADA, requireCode }, BOB], { showsAnswers: true })
    const code = await app.codeFor(ADA)
    const [sent] = app.codes
    expect(sent).toMatchObject({ by: 'sms', target: '+49 1', template: 'your-code' })
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(NOTED)
    // That number is not for the others.
    const shown = await app.runner.resume(app.latest(BOB))
    expect(shown).toMatchObject({ context: { answers: [{ by: ADA }] } })
    expect(JSON.stringify(shown)).not.toContain('+49')
  })

  it('loses no try to somebody who may not answer at all', async () => {
    const app = await coded([{ to: ADA, requireUser: true, requireCode: true }, { to: BOB }])
    const code = await app.codeFor(ADA, ADA)
    for (let guesses = 0; guesses < 10; guesses++) {
      const guessed = app.vote(ADA, 'approve', { code: GUESS, actor: 'eve' })
      expect(await guessed).toMatchObject({ code: 'WF_WRONG_USER' })
    }
    const looked = await app.runner.resume(app.latest(ADA), { actor: ADA })
    expect(looked).toMatchObject({ ...NEEDED, triesLeft: 5 })
    expect(await app.vote(ADA, 'approve', { code, actor: ADA })).toMatchObject(NOTED)
  })

  it('knows by it who has answered', async () => {
    const app = await coded()
    app.deeds.decide = (ctx, answers, input, action) => {
      if (answers.isDecided) ctx.history = answers.all.map(({ by }) => String(by))
      return askAll({ ...ctx, history: [] }, answers, input, action)
    }
    const { flowId } = app.started
    await app.vote(ADA, 'approve', { code: await app.codeFor(ADA) })
    expect((await app.api.get(flowId))?.asked?.people[0]).toMatchObject({ id: ADA, by: ADA })
    await app.vote(BOB, 'approve')
    const events = (await app.api.history(flowId)).filter(({ type }) => type === 'answered')
    expect(events.map(({ actor }) => actor)).toEqual([ADA, undefined])
    expect((await app.context(flowId)).history).toEqual([ADA, 'undefined'])
  })

  it('knows whoever is signed in by that, and asks for both', async () => {
    const people = [{ to: ADA, requireUser: 'user-7', requireCode: true }, { to: BOB }]
    const app = await coded(people)
    const WRONG_USER = { code: 'WF_WRONG_USER' }
    expect(await app.runner.askCode(app.latest(ADA))).toBe(false)
    expect(await app.runner.askCode(app.latest(ADA), { actor: ADA })).toBe(false)
    expect(await app.runner.askCode(app.latest(ADA), { actor: 'user-7' })).toBe(true)
    const { code } = app.codes[0]!
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(WRONG_USER)
    expect(await app.vote(ADA, 'approve', { actor: 'user-7' })).toMatchObject(NEEDED)
    expect(await app.vote(ADA, 'approve', { actor: 'user-7', code })).toMatchObject(NOTED)
    const { asked } = (await app.api.get(app.started.flowId))!
    expect(asked?.people[0]).toMatchObject({ by: 'user-7' })
  })

  it('is not answered by somebody who may not decide, by whose code ever', async () => {
    const app = await coded(CODED, { except: [ADA], quorum: 1 })
    const code = await app.codeFor(ADA)
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject({ code: 'WF_WRONG_USER' })
  })

  it('gives whoever has got several one voice', async () => {
    const app = await coded([
      { id: 'finance', to: ADA, requireCode: true, template: 'finance' },
      { id: 'security', to: ADA, requireCode: true, template: 'security' },
      { to: BOB },
    ])
    const decide = async (part: string) => {
      const { token } = app.mails.find(({ template }) => template === part)!
      await app.runner.askCode(token)
      const { code } = app.codes.at(-1)!
      return app.runner.resume(token, { action: 'approve', input: {}, code })
    }
    expect(await decide('finance')).toMatchObject(NOTED)
    expect(await decide('security')).toMatchObject({ code: 'WF_WRONG_USER' })
  })

  it('tells whoever comes late that it was answered, without a code', async () => {
    const app = await coded()
    await app.vote(ADA, 'approve', { code: await app.codeFor(ADA) })
    expect(await app.vote(ADA, 'reject')).toMatchObject({ code: 'WF_USED' })
    app.clock.advance(MINUTE_MS)
    expect(await app.runner.askCode(app.latest(ADA))).toBe(false)
  })

  it('is answered by the application with a code as well', async () => {
    const app = await coded()
    const answer = { action: 'approve', input: {} }
    const token = app.latest(ADA)
    await expect(app.api.answer(token, answer)).rejects.toMatchObject({ code: 'WF_CODE_NEEDED' })
    const code = await app.codeFor(ADA)
    const wrong = app.api.answer(token, { ...answer, code: GUESS })
    await expect(wrong).rejects.toMatchObject({ code: 'WF_CODE_WRONG' })
    await app.api.answer(token, { ...answer, code })
    // It goes on by itself, to its end.
    await app.api.stop()
    const { asked } = (await app.api.get(app.started.flowId))!
    expect(asked).toMatchObject({ agreed: 1, people: [{ by: ADA }, {}] })
  })
})

describe('a code', () => {
  it('can be tried five times, and the right one gives all of them back', async () => {
    const app = await coded()
    const code = await app.codeFor(ADA)
    const guess = (typed = GUESS) => app.vote(ADA, 'approve', { code: typed })
    for (const triesLeft of [4, 3, 2, 1]) expect(await guess()).toMatchObject({ triesLeft })
    // What is none costs no try.
    expect(await guess('what?')).toMatchObject({ ...WRONG, triesLeft: 1 })
    expect(await app.runner.resume(app.latest(ADA), { code })).toMatchObject({ kind: 'paused' })
    for (const triesLeft of [4, 3, 2, 1, 0]) {
      expect(await guess()).toMatchObject({ ...WRONG, triesLeft })
    }
    expect(await guess(code)).toMatchObject(TOO_MANY)
    expect(await guess('what?')).toMatchObject(TOO_MANY)
    expect(await guess(code)).toMatchObject(TOO_MANY)
  })

  it('is looked at five times by fifty guesses at once', async () => {
    const app = await coded()
    const code = await app.codeFor(ADA)
    const guesses = Array.from({ length: 50 }, () => app.vote(ADA, 'approve', { code: GUESS }))
    const codes = (await Promise.all(guesses)).map(result => 'code' in result && result.code)
    expect(codes.filter(each => each === 'WF_CODE_WRONG')).toHaveLength(5)
    expect(codes.filter(each => each === 'WF_TOO_MANY')).toHaveLength(45)
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(TOO_MANY)
  })

  it('is dead when another was sent, which has tries of its own', async () => {
    const app = await coded()
    const former = await app.codeFor(ADA)
    for (let tries = 0; tries < 6; tries++) await app.vote(ADA, 'approve', { code: GUESS })
    app.clock.advance(MINUTE_MS)
    const code = await app.codeFor(ADA)
    expect(await app.vote(ADA, 'approve', { code: former })).toMatchObject({ triesLeft: 4 })
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(NOTED)
  })

  it('lives ten minutes', async () => {
    const app = await coded()
    const code = await app.codeFor(ADA)
    app.clock.advance(10 * MINUTE_MS - 1)
    expect(await app.runner.resume(app.latest(ADA), { code })).toMatchObject({ kind: 'paused' })
    app.clock.advance(1)
    const late = await app.vote(ADA, 'approve', { code })
    expect(late).toMatchObject(NEEDED)
    expect(late).not.toHaveProperty('triesLeft', expect.anything())
  })

  it('is sent once a minute, and five times a day', async () => {
    const app = await coded()
    const askFor = () => app.runner.askCode(app.latest(ADA))
    expect([await askFor(), await askFor()]).toEqual([true, false])
    for (let sent = 1; sent < 5; sent++) {
      app.clock.advance(MINUTE_MS)
      expect(await askFor()).toBe(true)
    }
    app.clock.advance(MINUTE_MS)
    expect(await askFor()).toBe(false)
    expect(app.codes).toHaveLength(5)
    app.clock.advance(DAY_MS)
    expect(await askFor()).toBe(true)
  })

  it('is sent to nobody who needs none, nor by a link that is none', async () => {
    const app = await coded()
    const [name] = app.latest(ADA).split('.')
    for (const token of [app.latest(BOB), `${name}.made-up`, 'made-up', '']) {
      expect(await app.runner.askCode(token)).toBe(false)
    }
    await app.api.cancel(app.started.flowId)
    expect(await app.runner.askCode(app.latest(ADA))).toBe(false)
    expect(app.codes).toEqual([])
  })

  it('is good for the one link alone that it was asked for by', async () => {
    const app = await coded([
      { to: ADA, requireCode: true },
      { to: BOB, requireCode: true },
    ])
    const hers = await app.codeFor(ADA)
    expect(await app.vote(BOB, 'approve', { code: hers })).toMatchObject(NEEDED)
    const his = await app.codeFor(BOB)
    expect(await app.vote(BOB, 'approve', { code: hers })).toMatchObject(WRONG)
    expect(await app.vote(ADA, 'approve', { code: his })).toMatchObject(WRONG)
    expect(await app.vote(ADA, 'approve', { code: hers })).toMatchObject(NOTED)
    expect(await app.vote(BOB, 'approve', { code: his })).toMatchObject(DONE)
  })

  it('stays good where the answer was not taken, and dies with the one that counts', async () => {
    const app = await coded(CODED, { canChange: true })
    const code = await app.codeFor(ADA)
    const long = await app.vote(ADA, 'approve', { comment: 'x'.repeat(201), code })
    expect(long).toMatchObject({ kind: 'paused', context: { errors: {} } })
    app.clock.advance(MINUTE_MS)
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(NOTED)
    expect(await app.vote(ADA, 'reject', { code })).toMatchObject(WRONG)
    const another = await app.codeFor(ADA)
    expect(await app.vote(ADA, 'reject', { code: another })).toMatchObject(DONE)
  })

  it('is taken once by answers that come at the same moment', async () => {
    const app = await coded(CODED, { canChange: true, runsEach: true })
    app.deeds.decide = (ctx, { current }) => {
      if (current) ctx.history = [...ctx.history, String(current.action)]
      return ask(ctx)
    }
    app.clock.advance(1)
    const code = await app.codeFor(ADA)
    app.clock.advance(1)
    const votes = Array.from({ length: 20 }, () => app.vote(ADA, 'approve', { code }))
    const kinds = (await Promise.all(votes)).map(({ kind }) => kind)
    expect(kinds.filter(kind => kind === 'noted')).toHaveLength(1)
    expect((await app.context(app.started.flowId)).history).toEqual(['approve'])
  })

  it('that cannot be sent leaves the former one good, and is not logged', async () => {
    const logged: string[] = []
    const note = (...told: unknown[]) => void logged.push(told.map(String).join(' '))
    const logger = { debug: note, info: note, warn: note, error: note } as unknown as Logger
    const app = await fresh({ config: { logger } })
    await app.start(CODED)
    const code = await app.codeFor(ADA)
    app.clock.advance(MINUTE_MS)
    const [email] = app.config.outlets!
    const { deliver } = email!
    const seen: string[] = []
    Object.assign(email!, {
      deliver: (_: object, __: string, details: { code: string }) => {
        seen.push(details.code)
        throw new Error(`No way to send ${details.code}`)
      },
    })
    expect(await app.runner.askCode(app.latest(ADA))).toBe(false)
    Object.assign(email!, { deliver })
    expect(logged.join()).toContain('A code could not be sent')
    expect(logged.join()).not.toContain(seen[0])
    expect(await app.vote(ADA, 'approve', { code: seen[0]! })).toMatchObject(WRONG)
    expect(await app.vote(ADA, 'approve', { code })).toMatchObject(NOTED)
  })

  it('is not to be had from the ledger: neither it nor the link is there', async () => {
    const clock = new FakeClock()
    const { ledger, written } = openLedger(clock)
    const runs = new WfRunStoreMemory({ clock, outbox: true })
    const app = await openPanelApp({ clock, runs }, { config: { ledger } })
    await app.start(CODED)
    const code = await app.codeFor(ADA)
    const token = app.latest(ADA)
    const noted = written.filter(line => line.startsWith('seat-code'))
    expect(noted).toHaveLength(1)
    for (const secret of [code, code.replace('-', ''), token, token.split('.')[1]!, ADA]) {
      expect(noted.join()).not.toContain(secret)
    }
    // What was noted by another link proves nothing by this one.
    const [kind, key, data] = noted[0]!.split(' ')
    const bobs = await openPanelApp(
      { clock, runs: new WfRunStoreMemory({ clock, outbox: true }) },
      { config: { ledger } },
    )
    await bobs.start(CODED)
    const hers = await bobs.codeFor(ADA)
    const other = written.findLast(line => line.startsWith('seat-code'))!.split(' ')[1]!
    await ledger.put(kind!, other, data!)
    expect(other).not.toBe(key)
    for (const typed of [code, hers]) {
      expect(await bobs.vote(ADA, 'approve', { code: typed })).toMatchObject(WRONG)
    }
  })

  it('is part of a request that is sent again', async () => {
    const app = await coded()
    const code = await app.codeFor(ADA)
    const requestId = 'a-request'
    const send = (typed?: string) =>
      app.runner.resume(app.latest(ADA), {
        action: 'approve',
        input: {},
        requestId,
        code: typed,
      })
    const wrong = { action: 'approve', input: {}, requestId: 'another', code: GUESS }
    for (let sent = 0; sent < 10; sent++) {
      expect(await app.runner.resume(app.latest(ADA), wrong)).toMatchObject({ triesLeft: 4 })
    }
    expect(await send(code)).toMatchObject(NOTED)
    app.clock.advance(MINUTE_MS)
    expect(await send(code.toLowerCase())).toMatchObject(NOTED)
    expect(await send()).toMatchObject({ code: 'WF_REQUEST_CHANGED' })
    expect(await send(GUESS)).toMatchObject({ code: 'WF_REQUEST_CHANGED' })
  })
})

describe('the code of a part that somebody else gets', () => {
  const delegating = async (people: Parameters<Asking['start']>[0], codeTo?: string) => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers, input, action) => {
      if (action === 'delegate') return handOn({ to: input!.comment!, codeTo })
      return askAll(ctx, answers, input, action)
    }
    const { flowId } = await app.start(people)
    return { ...app, flowId }
  }

  it('goes to their address, and the former one is dead', async () => {
    const app = await delegating(CODED)
    const former = app.latest(ADA)
    const code = await app.codeFor(ADA)
    expect(await app.vote(ADA, 'delegate', { comment: DAN, code })).toMatchObject(NOTED)
    await app.api.runDue()
    const again = { action: 'approve', input: {}, code }
    expect(await app.runner.resume(former, again)).toMatchObject({ code: 'WF_REVOKED' })
    expect(await app.runner.resume(app.latest(DAN), again)).toMatchObject(NEEDED)
    // The new one has not used up what the former one may ask for.
    const theirs = await app.codeFor(DAN)
    expect(app.codes.at(-1)).toMatchObject({ target: DAN })
    expect(await app.runner.resume(app.latest(DAN), again)).toMatchObject(WRONG)
    expect(await app.vote(DAN, 'approve', { code: theirs })).toMatchObject(NOTED)
    expect((await app.api.get(app.flowId))?.asked?.people[0]).toMatchObject({ to: DAN, by: DAN })
  })

  const SMS = [{ to: ADA, requireCode: { outlet: 'sms', to: '+49 1' } }, { to: BOB }]

  it.each([
    ['to their address, where none is said', undefined, { by: 'email', target: DAN }],
    ['to where it is said', '+49 2', { by: 'sms', target: '+49 2' }],
  ])('by another outlet goes %s', async (_where, codeTo, expected) => {
    const app = await delegating(SMS, codeTo)
    const code = await app.codeFor(ADA)
    expect(await app.vote(ADA, 'delegate', { comment: DAN, code })).toMatchObject(NOTED)
    await app.api.runDue()
    await app.codeFor(DAN)
    expect(app.codes.at(-1)).toMatchObject(expected)
  })

  it.each([
    ['to their address, where none is said', undefined, { by: 'email', target: DAN }],
    ['to where it is said', '+49 2', { by: 'sms', target: '+49 2' }],
  ])('from the application goes %s', async (_where, codeTo, expected) => {
    const app = await delegating(SMS)
    await app.codeFor(ADA)
    await app.api.reassign(app.flowId, { from: ADA, to: DAN, codeTo })
    await app.api.runDue()
    const code = await app.codeFor(DAN)
    expect(app.codes.at(-1)).toMatchObject(expected)
    expect(await app.vote(DAN, 'approve', { code })).toMatchObject(NOTED)
  })

  it('goes along with a message that is sent to another address', async () => {
    const app = await delegating(SMS)
    const [first] = await app.api.messages(app.flowId)
    await app.api.resend(first!.messageId, { to: CLEO })
    await app.api.runDue()
    await app.codeFor(CLEO)
    expect(app.codes.at(-1)).toMatchObject({ by: 'email', target: CLEO })
  })
})

describe('a code that cannot be', () => {
  it('needs a ledger', async () => {
    const app = await fresh({ config: { ledger: undefined } })
    await expect(app.start(CODED)).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await expect(app.start(CODED)).rejects.toThrow(/ledger/u)
  })

  it.each(['http', 'pigeon'])('goes by no outlet "%s"', async outlet => {
    const app = await fresh()
    const start = app.start([{ to: ADA, requireCode: { outlet } }], { quorum: 1 })
    await expect(start).rejects.toThrow(/delivers to others/u)
  })

  it.each([{ to: '' }, { to: 7 }, { outlet: '' }, { template: 1 }, 'yes', null, [], 1])(
    'is asked for by %j',
    requireCode => {
      const people = [{ to: ADA, requireCode: requireCode as never }]
      expect(() => outletEach(people, { form: ReviewForm, quorum: 1 })).toThrow(/requireCode/u)
    },
  )

  it('goes to no address', async () => {
    expect(() => handOn({ to: DAN, codeTo: '' })).toThrow(TypeError)
    const app = await coded()
    const how = { from: ADA, to: DAN, codeTo: '' }
    await expect(app.api.reassign(app.started.flowId, how)).rejects.toThrow(TypeError)
  })
})
