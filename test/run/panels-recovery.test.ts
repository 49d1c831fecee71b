import { handOn } from '@atscript/moost-wf'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it, vi } from 'vitest'
import { LEASE_MS } from '../support/durable-app'
import { ADA, ask, askAll, BOB, CLEO, DAN, openPanelApp, type PanelApp } from '../support/panel-app'

const HOUR_MS = 60 * 60_000
const RETRY = { attempts: 3, baseMs: HOUR_MS, maxMs: HOUR_MS, jitter: 0 }

const NOTED = { kind: 'noted' }
const USED = { kind: 'refused', code: 'WF_USED' }
const REVOKED = { kind: 'refused', code: 'WF_REVOKED' }
const BUSY = { kind: 'refused', code: 'WF_BUSY' }
const DONE = { kind: 'finished' }

const fresh = (options = {}) => {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true, signals: true })
  return openPanelApp({ clock, runs }, options)
}

/** Another process, which has the mails of the first one. */
async function another(app: PanelApp, options = {}): Promise<PanelApp> {
  const other = await openPanelApp(app, { config: { ledger: app.ledger }, ...options })
  other.mails.push(...app.mails)
  return other
}

/** A process that dies when it wants to write what has come of this. */
async function dieAtCommit({ runs }: PanelApp, act: () => Promise<unknown>): Promise<void> {
  const dead = new Promise<never>(() => {})
  await new Promise<void>(resolve => {
    vi.spyOn(runs, 'commit').mockImplementationOnce(() => {
      resolve()
      return dead
    })
    void act()
  })
}

const agreedIn = async (app: PanelApp, flowId: string) => (await app.api.get(flowId))?.asked?.agreed

const answersIn = async (app: PanelApp, flowId: string) =>
  (await app.api.history(flowId)).flatMap(({ type, detail }) =>
    type === 'answered' ? [detail.seat] : [],
  )

describe('an answer whose process dies before it is noted', () => {
  const start = async (how = {}) => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO], how)
    await dieAtCommit(app, () => app.vote(ADA, 'approve', { comment: 'fine', actor: 'ada' }))
    const other = await another(app)
    return { app, other, flowId }
  }

  it('is noted by whoever recovers the run, once', async () => {
    const { other, flowId } = await start()
    expect(await agreedIn(other, flowId)).toBe(0)
    await other.wait(LEASE_MS)
    expect(await agreedIn(other, flowId)).toBe(1)
    expect(await answersIn(other, flowId)).toEqual([ADA])
    await other.wait(LEASE_MS)
    expect(await answersIn(other, flowId)).toEqual([ADA])
    expect(await other.vote(ADA, 'approve')).toMatchObject(USED)
    expect(await other.vote(BOB, 'approve')).toMatchObject(DONE)
    const { history } = await other.context(flowId)
    expect(history).toEqual(['ada approve fine', `${BOB} approve`])
  })

  it('is noted before the next one, who decides', async () => {
    const { other, flowId } = await start()
    other.clock.advance(LEASE_MS)
    expect(await other.vote(BOB, 'approve')).toMatchObject(DONE)
    expect(other.ran).toEqual(['decide', 'tell'])
    expect(await answersIn(other, flowId)).toEqual([ADA, BOB])
    const told = (await other.api.history(flowId)).filter(({ type }) => type === 'answered')
    expect(told.map(({ detail }) => detail.by)).toEqual(['ada', undefined])
    expect((await other.context(flowId)).history).toHaveLength(2)
  })

  it('counts in place of what the same person answers then', async () => {
    const { other, flowId } = await start()
    other.clock.advance(LEASE_MS)
    expect(await other.vote(ADA, 'reject')).toMatchObject(NOTED)
    expect((await other.api.get(flowId))?.asked).toMatchObject({ agreed: 1, refused: 0 })
    expect(await answersIn(other, flowId)).toEqual([ADA])
  })

  it('is not lost where the link of the next one is only opened', async () => {
    const { other, flowId } = await start()
    other.clock.advance(LEASE_MS)
    expect(await other.runner.resume(other.latest(BOB))).toMatchObject({ kind: 'paused' })
    await other.api.runDue()
    expect(await agreedIn(other, flowId)).toBe(1)
  })

  it('is written by nobody twice, also by a process that was only slow', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    const other = await another(app)
    const commit = app.runs.commit.bind(app.runs)
    vi.spyOn(app.runs, 'commit').mockImplementationOnce(async (...given) => {
      await other.wait(LEASE_MS)
      return commit(...given)
    })
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'refused', code: 'WF_CONFLICT' })
    expect(await answersIn(other, flowId)).toEqual([ADA])
    expect(await agreedIn(other, flowId)).toBe(1)
  })
})

describe('an answer that decides, whose process dies', () => {
  const start = async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB, CLEO])
    await app.vote(ADA, 'approve', { comment: 'fine', actor: 'ada' })
    const seen: unknown[] = []
    const reached = new Promise<void>(resolve => {
      app.deeds.decide = (_ctx, answers) => {
        seen.push(structuredClone(answers))
        resolve()
        return new Promise(() => {})
      }
    })
    void app.vote(BOB, 'approve', { comment: 'me too', actor: 'bob' })
    await reached
    const other = await another(app)
    other.deeds.decide = (ctx, answers, ...given) => {
      seen.push(structuredClone(answers))
      return askAll(ctx, answers, ...given)
    }
    const same = () => {
      const [first, second] = seen.map(
        answers =>
          JSON.parse(
            JSON.stringify(answers, (key, value) => (key === 'at' ? 0 : value)),
          ) as unknown,
      )
      expect(second).toEqual(first)
      expect(seen).toHaveLength(2)
    }
    return { other, flowId, same }
  }

  it('is settled by recovery, and its step is told the same', async () => {
    const { other, flowId, same } = await start()
    await other.wait(LEASE_MS)
    same()
    expect((await other.context(flowId)).history).toEqual([
      'ada approve fine',
      'bob approve me too',
    ])
    expect((await other.api.get(flowId))?.status).toBe('completed')
    expect(await answersIn(other, flowId)).toEqual([ADA, BOB])
    for (const to of [ADA, BOB, CLEO]) expect(await other.vote(to, 'approve')).toMatchObject(USED)
  })

  it('is settled before the next one is answered, who comes too late', async () => {
    const { other, flowId, same } = await start()
    other.clock.advance(LEASE_MS)
    expect(await other.vote(CLEO, 'reject', { actor: 'cleo' })).toMatchObject(USED)
    same()
    expect((await other.context(flowId)).outcome).toBe('reached')
    expect(await answersIn(other, flowId)).toEqual([ADA, BOB])
  })

  it('is settled by the same person, whatever they say now', async () => {
    const { other, flowId, same } = await start()
    other.clock.advance(LEASE_MS)
    expect(await other.vote(BOB, 'reject', { actor: 'bob' })).toMatchObject(DONE)
    same()
    expect((await other.context(flowId)).outcome).toBe('reached')
  })
})

describe('an answer that must not be kept, whose process dies', () => {
  it('is asked again of that person, and the others are not disturbed', async () => {
    const app = await fresh()
    const { flowId } = await app.start([ADA, BOB], {}, 'expense/review')
    const grade = (of: PanelApp, to: string) =>
      of.runner.resume(of.latest(to), { input: { grade: 4, accessCode: '1234' } })
    await dieAtCommit(app, () => grade(app, ADA))
    const other = await another(app)
    await other.wait(LEASE_MS)
    expect(await other.api.get(flowId)).toMatchObject({ status: 'paused', asked: { agreed: 0 } })
    expect(await answersIn(other, flowId)).toEqual([])
    await other.wait(0)
    expect(other.mails).toHaveLength(2)
    expect(await grade(other, BOB)).toMatchObject(NOTED)
    expect(await grade(other, ADA)).toMatchObject(DONE)
    expect(JSON.stringify(await other.api.history(flowId))).not.toContain('1234')
  })
})

describe('a step that throws at the answer that decides', () => {
  const failing = async (strategy: object) => {
    const app = await fresh({ strategy })
    const { flowId } = await app.start([ADA, BOB, CLEO])
    await app.vote(ADA, 'approve', { comment: 'fine' })
    const former = app.deeds.decide
    app.deeds.decide = () => {
      throw new Error('A test.')
    }
    const mend = () => {
      app.deeds.decide = former
    }
    return { app, flowId, mend }
  }

  it('leaves all links alive, and takes the answer back, where nothing is tried again', async () => {
    const { app, flowId, mend } = await failing({})
    await expect(app.vote(BOB, 'approve')).rejects.toThrow('A test.')
    expect(await agreedIn(app, flowId)).toBe(1)
    expect((await app.api.get(flowId))?.status).toBe('paused')
    mend()
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
    expect((await app.context(flowId)).history).toEqual([`${ADA} approve fine`, `${CLEO} approve`])
  })

  it('is tried again by itself, with the same answers', async () => {
    const { app, flowId, mend } = await failing({ retry: RETRY })
    expect(await app.vote(BOB, 'approve', { comment: 'mine' })).toMatchObject({ kind: 'retrying' })
    for (const to of [ADA, CLEO]) expect(await app.vote(to, 'approve')).toMatchObject(BUSY)
    mend()
    await app.wait(HOUR_MS)
    expect((await app.context(flowId)).history).toEqual([
      `${ADA} approve fine`,
      `${BOB} approve mine`,
    ])
    expect(await answersIn(app, flowId)).toEqual([ADA, BOB])
  })

  it('fails for good, and goes on with the same answers when somebody says so', async () => {
    const { app, flowId, mend } = await failing({ retry: { ...RETRY, attempts: 1 } })
    await expect(app.vote(BOB, 'approve', { comment: 'mine' })).rejects.toThrow('A test.')
    expect((await app.api.get(flowId))?.status).toBe('failed')
    expect(await app.vote(CLEO, 'reject')).toMatchObject(USED)
    mend()
    expect(await app.api.retry(flowId)).toBe(true)
    await vi.waitFor(async () => expect((await app.api.get(flowId))?.status).toBe('completed'))
    expect(await answersIn(app, flowId)).toEqual([ADA, BOB])
    expect((await app.context(flowId)).history).toEqual([
      `${ADA} approve fine`,
      `${BOB} approve mine`,
    ])
  })
})

describe('a step that runs with each answer, and throws', () => {
  it('counts nothing of it, and the others go on', async () => {
    const app = await fresh()
    app.deeds.decide = (ctx, answers) => {
      if (answers.current?.id === ADA) throw new Error('A test.')
      return answers.isDecided ? undefined : ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB, CLEO], { runsEach: true })
    await expect(app.vote(ADA, 'approve')).rejects.toThrow('A test.')
    expect(await agreedIn(app, flowId)).toBe(0)
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
  })

  it('is tried again with that answer, before the others', async () => {
    const app = await fresh({ strategy: { retry: RETRY } })
    let fails = true
    app.deeds.decide = (ctx, answers) => {
      if (answers.current && fails) throw new Error('A test.')
      ctx.history = answers.all.map(({ id }) => id)
      return answers.isDecided ? undefined : ask(ctx)
    }
    const { flowId } = await app.start([ADA, BOB, CLEO], { runsEach: true, quorum: 'all' })
    expect(await app.vote(ADA, 'approve')).toMatchObject({ kind: 'retrying' })
    expect(await app.vote(BOB, 'approve')).toMatchObject(BUSY)
    fails = false
    app.clock.advance(HOUR_MS)
    expect(await app.vote(BOB, 'approve')).toMatchObject(NOTED)
    expect((await app.context(flowId)).history).toEqual([ADA, BOB])
    expect(await app.vote(CLEO, 'approve')).toMatchObject(DONE)
    expect(await answersIn(app, flowId)).toEqual([ADA, BOB, CLEO])
  })
})

describe('a part that is handed on, whose process dies', () => {
  it('is handed on once, by one message', async () => {
    const app = await fresh()
    const deed: PanelApp['deeds']['decide'] = (ctx, answers, input, action) =>
      action === 'delegate' ? handOn({ to: input!.comment! }) : askAll(ctx, answers, input, action)
    app.deeds.decide = deed
    const { flowId } = await app.start([ADA, BOB])
    await dieAtCommit(app, () => app.vote(ADA, 'delegate', { comment: DAN }))
    const other = await another(app)
    other.deeds.decide = deed
    const former = other.latest(ADA)
    await other.wait(LEASE_MS)
    await other.wait(0)
    expect(other.mails.filter(({ target }) => target === DAN)).toHaveLength(1)
    expect(await other.runner.peek(former)).toMatchObject(REVOKED)
    expect(await other.vote(DAN, 'approve')).toMatchObject(NOTED)
    expect(await other.vote(BOB, 'approve')).toMatchObject(DONE)
    expect(await answersIn(other, flowId)).toEqual([ADA, ADA, BOB])
  })
})
