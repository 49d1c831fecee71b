import { beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { expectDecided, recordedAnswers } from '../support/panel-record'
import { type PanelAnswer, type PanelOutcome, usePanelWorkers } from '../support/panel-workers'
import type { RunWorker } from '../support/run-workers'
import { scaled } from '../support/scale'

const ROUNDS = scaled(9, 200)
const NOTED = { kind: 'noted' }
const REVOKED = { kind: 'refused', code: 'WF_REVOKED' }
const RULE = { people: 3, quorum: 2 } as const

describe.each(testEngines())('two processes that answer one pause, on $name', engine => {
  const { store, start, ask, linkOf, begun } = usePanelWorkers(engine)

  let here: RunWorker
  let there: RunWorker
  beforeAll(async () => {
    ;[here, there] = await Promise.all([start(), start()])
  })

  const answer = async (worker: RunWorker, one: PanelAnswer) => {
    const [outcome] = (await worker.run('answer', { answers: [one] })) as PanelOutcome[]
    return outcome!
  }
  const historyOf = (flowId: string) => store().history(flowId)

  /** Asks three people, of whom two must agree. */
  async function askThree(how: object = { quorum: RULE.quorum }) {
    const { flowId, tokens } = await ask(here, RULE.people, how)
    const [ada, bob, cleo] = [...tokens].map(([seat, token]) => ({ seat, token }))
    return { flowId, ada: ada!, bob: bob!, cleo: cleo!, dan: ada!.seat.replace('p0', 'dan') }
  }

  /** Both begin at the same moment; in the first and the last round one is over when the other begins. */
  async function together<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>) {
    if (round === 0) return [await one(), await other()] as const
    if (round < ROUNDS - 1) return Promise.all([one(), other()])
    const second = await other()
    return [await one(), second] as const
  }

  /** Nobody gets anywhere by a link, in either process. */
  async function expectDead(token: string) {
    const tries = [here, there].flatMap(worker => [
      answer(worker, { token, action: 'approve' }),
      worker.run('peek', { token }),
    ])
    for (const told of await Promise.all(tries)) expect(told).toMatchObject(REVOKED)
  }

  /** Somebody who has got a part answers, and another one decides. */
  async function expectToGoOn(flowId: string, to: string, other: { readonly token: string }) {
    while (linkOf(to) === undefined) await there.run('runDue')
    expect(await answer(here, { token: linkOf(to)!, action: 'approve' })).toMatchObject(NOTED)
    const last = await answer(there, { token: other.token, action: 'approve' })
    expect(last).toMatchObject({ kind: 'finished' })
    return expectDecided(store(), flowId, RULE)
  }

  it('either have the answer of somebody, or give their part away: their link is dead at once', async () => {
    let given = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { flowId, ada, bob, dan } = await askThree()
      const [answered, reassigned] = await together(
        round,
        () => answer(here, { token: ada.token, action: 'approve' }),
        () => there.run('reassign', { flowId, from: ada.seat, to: dan }) as Promise<PanelOutcome>,
      )
      const isGiven = reassigned.kind === 'reassigned'
      if (isGiven) {
        given++
        expect(answered).toMatchObject(REVOKED)
        await expectDead(ada.token)
        const recorded = await expectToGoOn(flowId, dan, bob)
        expect(recorded.map(({ to }) => to)).toEqual([dan, bob.seat])
      } else {
        expect(answered).toMatchObject(NOTED)
        expect(['WF_TRANSITION', 'WF_CONFLICT']).toContain(reassigned.code)
        const last = await answer(there, { token: bob.token, action: 'approve' })
        expect(last).toMatchObject({ kind: 'finished' })
        const recorded = await expectDecided(store(), flowId, RULE)
        expect(recorded.map(({ to }) => to)).toEqual([ada.seat, bob.seat])
        expect(linkOf(dan)).toBeUndefined()
      }
      const types = (await historyOf(flowId)).map(({ type }) => type)
      expect(types.includes('reassigned')).toBe(isGiven)
    }
    console.info(`${engine.name}: ${given} of ${ROUNDS} parts were given away, the others answered`)
  })

  it('leave whoever has handed on their part nothing of it', async () => {
    let handedOn = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { flowId, ada, bob, dan } = await askThree()
      const { token } = ada
      const [answered, delegated] = await together(
        round,
        () => answer(here, { token, action: 'approve' }),
        () => answer(there, { token, action: 'delegate', input: { comment: dan } }),
      )
      const isHandedOn = delegated.kind === 'noted'
      if (isHandedOn) {
        handedOn++
        expect(answered).toMatchObject(REVOKED)
        await expectDead(token)
        await expectToGoOn(flowId, dan, bob)
      } else {
        expect(answered).toMatchObject(NOTED)
        expect(delegated).toMatchObject({ kind: 'refused', code: 'WF_USED' })
        await answer(there, { token: bob.token, action: 'approve' })
        await expectDecided(store(), flowId, RULE)
        expect(linkOf(dan)).toBeUndefined()
      }
      const history = await historyOf(flowId)
      expect(history.some(({ type }) => type === 'reassigned')).toBe(isHandedOn)
      expect(recordedAnswers(history)[0]).toMatchObject({
        to: ada.seat,
        action: isHandedOn ? 'delegate' : 'approve',
      })
    }
    console.info(`${engine.name}: ${handedOn} of ${ROUNDS} handed on, the others answered`)
  })

  it('give the part of somebody to one of two others', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { flowId, ada, bob, dan } = await askThree()
      const eve = ada.seat.replace('p0', 'eve')
      const give = (worker: RunWorker, to: string) =>
        worker.run('reassign', { flowId, from: ada.seat, to }) as Promise<PanelOutcome>
      const [first, second] = await Promise.all([give(here, dan), give(there, eve)])
      const given = [first, second].filter(({ kind }) => kind === 'reassigned')
      expect(given.length).toBeGreaterThan(0)
      // One after the other is given on as well, by whoever came first to whoever came last.
      const [to] = await lastOwner(flowId)
      await expectDead(ada.token)
      const recorded = await expectToGoOn(flowId, to, bob)
      expect(recorded[0]).toMatchObject({ seat: ada.seat, to })
      const other = linkOf(to === dan ? eve : dan)
      if (other)
        expect(await answer(here, { token: other, action: 'approve' })).toMatchObject({
          kind: 'refused',
        })
    }
  })

  /** To whom the history says that a part was given last. */
  async function lastOwner(flowId: string) {
    const history = await historyOf(flowId)
    return history
      .filter(({ type }) => type === 'reassigned')
      .map(({ detail }) => (detail as { to: string }).to)
      .toReversed() as [string, ...string[]]
  }

  it('keep a part for whoever has answered, also if nobody has gone on with that', async () => {
    const { flowId, ada, bob, dan } = await askThree()
    const dying = await start()
    await dying.killAt('behind the commit', 'accept', { token: ada.token, action: 'approve' })
    const give = (from: string) => there.run('reassign', { flowId, from, to: dan })
    expect(await give(ada.seat)).toMatchObject({ kind: 'refused', code: 'WF_CONFLICT' })
    // The part of another is still to be had.
    expect(await give(bob.seat)).toMatchObject({ kind: 'reassigned' })
    await there.run('runDue')
    const last = await answer(here, { token: linkOf(dan)!, action: 'approve' })
    expect(last).toMatchObject({ kind: 'finished' })
    const recorded = await expectDecided(store(), flowId, RULE)
    expect(recorded.map(({ to }) => to)).toEqual([ada.seat, dan])
  })

  it('take an answer for one part by one request id, and what is sent again for the same', async () => {
    const quorum = 'all'
    for (let round = 0; round < ROUNDS; round++) {
      const { flowId, ada, bob, cleo } = await askThree({ quorum })
      const requestId = crypto.randomUUID()
      const send = (worker: RunWorker, { token }: { token: string }, action = 'approve') =>
        answer(worker, { token, action, requestId })
      const told = await Promise.all([
        here.run('answer', {
          answers: [ada, bob].map(one => ({ ...one, action: 'approve', requestId })),
        }),
        there.run('answer', {
          answers: [bob, ada].map(one => ({ ...one, action: 'approve', requestId })),
        }),
      ])
      for (const outcome of told.flat()) expect(outcome).toMatchObject(NOTED)
      const recorded = async () => recordedAnswers(await historyOf(flowId)).map(({ seat }) => seat)
      expect((await recorded()).toSorted()).toEqual([ada.seat, bob.seat])
      expect(await send(there, ada, 'reject')).toMatchObject({ code: 'WF_REQUEST_CHANGED' })
      expect(await send(there, cleo)).toMatchObject({ kind: 'finished' })
      for (const worker of [here, there]) expect(await send(worker, ada)).toMatchObject(NOTED)
      await expectDecided(store(), flowId, { ...RULE, quorum })
      expect((await recorded()).toSorted()).toEqual([ada.seat, bob.seat, cleo.seat])
      expect(begun(flowId)).toEqual({ decide: 2, tell: 1 })
    }
  })

  it('hear one person once, by whatever links', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { flowId, ada, bob, cleo } = await askThree()
      const told = await Promise.all([
        answer(here, { token: ada.token, action: 'approve', actor: 'eve' }),
        answer(there, { token: bob.token, action: 'approve', actor: 'eve' }),
      ])
      const codes = told.map(({ kind, code }) => code ?? kind)
      expect(codes.toSorted()).toEqual(['WF_WRONG_USER', 'noted'])
      expect(recordedAnswers(await historyOf(flowId))).toHaveLength(1)
      const last = await answer(here, { token: cleo.token, action: 'approve', actor: 'cleo' })
      expect(last).toMatchObject({ kind: 'finished' })
      await expectDecided(store(), flowId, RULE)
    }
  })
})
