import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { expectDecided, recordedAnswers } from '../support/panel-record'
import { type PanelOutcome, usePanelWorkers } from '../support/panel-workers'
import type { RunWorker } from '../support/run-workers'
import { scaled } from '../support/scale'
import { PanelVoters } from '../support/panel-voters'

const KILLS = scaled(1, 20)
const RULE = { people: 5, quorum: 3 } as const

interface Point {
  /** How many have answered before. */
  readonly before: number
  readonly stopAt: string
  /** Somebody may come before the lease of the dead process has run out. */
  readonly isHeld: boolean
  /** What was sent is there: nobody need send it again. */
  readonly isKept: boolean
  readonly isRecorded: boolean
}

const NOTING: Record<string, Omit<Point, 'before'>> = {
  'before the claim': {
    stopAt: 'before the claim',
    isHeld: false,
    isKept: false,
    isRecorded: false,
  },
  'behind the claim': { stopAt: 'behind the claim', isHeld: true, isKept: true, isRecorded: false },
  'before the commit': {
    stopAt: 'before the commit',
    isHeld: true,
    isKept: true,
    isRecorded: false,
  },
}

/** Where a process is killed that was sent the second of three answers, or the third, which decides. */
const POINTS: Record<string, Point> = {
  ...pointsAt('that is noted', 1),
  'that is noted, behind the commit': {
    before: 1,
    stopAt: 'behind the commit',
    isHeld: false,
    isKept: true,
    isRecorded: true,
  },
  ...pointsAt('that decides', 2),
  'that decides, in the step': {
    before: 2,
    stopAt: 'in the step',
    isHeld: true,
    isKept: true,
    isRecorded: false,
  },
  'that decides, behind the commit': {
    before: 2,
    stopAt: 'behind the commit',
    isHeld: true,
    isKept: true,
    isRecorded: true,
  },
}

function pointsAt(which: string, before: number): Record<string, Point> {
  const points = Object.entries(NOTING)
  return Object.fromEntries(points.map(([at, point]) => [`${which}, ${at}`, { ...point, before }]))
}

describe.each(testEngines())('a process that is killed, on $name', engine => {
  const { store, start, ask, runs } = usePanelWorkers(engine)

  let survivor: RunWorker
  beforeAll(async () => {
    survivor = await start()
  })

  const answer = async (token: string, action: string) => {
    const task = { answers: [{ token, action }] }
    const [outcome] = (await survivor.run('answer', task)) as PanelOutcome[]
    return outcome!
  }

  /** No live process is so slow that this takes it for a dead one. */
  const letLeaseRunOut = (flowId: string) =>
    runs().updateMany({ flowId, leaseOwner: { $ne: null } }, { leaseUntil: 1, dueAt: 1 })

  it.each(Object.entries(POINTS))(
    `with an answer %s, has lost none that was accepted, ${KILLS} times of ${KILLS}`,
    async (_point, { before, stopAt, isHeld, isKept, isRecorded }) => {
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = await start()
        const { flowId, tokens } = await ask(survivor, RULE.people, { quorum: RULE.quorum })
        const people = [...tokens].map(([seat, token]) => ({ seat, token }))
        for (const { token } of people.slice(0, before)) {
          expect(await answer(token, 'approve')).toMatchObject({ kind: 'noted' })
        }
        const [{ seat, token }, other, ...others] = people.slice(before) as [
          (typeof people)[number],
          (typeof people)[number],
        ]
        await victim.killAt(stopAt, 'answer', { answers: [{ token, action: 'approve' }] })

        const run = (await store().find(flowId))!
        const recorded = async () =>
          recordedAnswers(await store().history(flowId)).filter(said => said.seat === seat)
        expect(run.leaseOwner !== undefined).toBe(isHeld)
        expect(run.answer ?? '').not.toContain('approve')
        expect(await recorded()).toHaveLength(isRecorded ? 1 : 0)

        // Whoever comes next goes on with it first, whether it is somebody else or a worker.
        await letLeaseRunOut(flowId)
        const isDecided = before === RULE.quorum - 1 && isKept
        if (kill % 2 === 0) {
          const told = await answer(other.token, 'reject')
          expect(told).toMatchObject(
            isDecided ? { kind: 'refused', code: 'WF_USED' } : { kind: 'noted' },
          )
        } else {
          expect(await survivor.run('runDue')).toMatchObject({ done: isHeld ? 1 : 0 })
        }
        expect(await recorded()).toHaveLength(isKept ? 1 : 0)
        // They were told nothing, and send it again.
        const again = await answer(token, 'approve')
        expect(again.code ?? again.kind).toMatch(isKept ? /^WF_USED$/u : /^(?:noted|finished)$/u)
        for (const one of others as typeof people) await answer(one.token, 'approve')
        await survivor.run('runDue')
        const all = await expectDecided(store(), flowId, RULE)
        expect(all.filter(said => said.seat === seat)).toMatchObject([{ action: 'approve' }])
        expect(new Set(all.map(said => said.seat)).size).toBe(all.length)
      }
    },
  )
})

const ROUNDS = scaled(5, 150)
const PROCESSES = 4
const LEASE_MS = scaled(1000, 2000)
/** Within which one of them is looked for that is at work. */
const KILL_WITHIN_MS = 100
const PANELS_AT_ONCE = 6

describe.each(testEngines())('processes that are killed at any moment, on $name', engine => {
  const panels = usePanelWorkers(engine)

  it(
    `lose no answer of five people that they have accepted, and decide once, ${ROUNDS} times`,
    { timeout: scaled(60_000, 1_800_000) },
    async () => {
      // It sends the mails, and looks after what the others have left behind, before somebody comes or after.
      const worker = { everyMs: 100, concurrency: 4 }
      const starter = await panels.start({ leaseMs: LEASE_MS, worker })
      const start = () => panels.start({ leaseMs: LEASE_MS })
      const voters = new PanelVoters()
      const crew = await Promise.all(Array.from({ length: PROCESSES }, start))
      const using = crew.map(one => voters.use(one))
      const asking = voters.haveEnough(PANELS_AT_ONCE, () =>
        panels.ask(starter, RULE.people, { quorum: RULE.quorum }),
      )
      for (let round = 0; round < ROUNDS; round++) {
        // One that has nothing in hand would leave nothing behind.
        let unlucky = -1
        while (unlucky < 0) {
          await pause(Math.random() * KILL_WITHIN_MS)
          unlucky = crew.findIndex(({ isAtWork }) => isAtWork)
        }
        await crew.splice(unlucky, 1)[0]!.kill()
        const next = await start()
        crew.push(next)
        using.push(voters.use(next))
      }
      voters.stop()
      await asking
      await Promise.all(using)
      await panels.untilAllHaveEnded()
      const { all, interrupted } = voters
      let accepted = 0
      for (const { flowId, votes } of all) {
        const recorded = await expectDecided(panels.store(), flowId, RULE)
        const answers = new Map(recorded.map(({ seat, action }) => [seat, action]))
        expect(answers.size).toBe(recorded.length)
        for (const { seat, action, told, tries } of votes) {
          // What was accepted is there. What was refused is not, unless it came twice.
          if (told === 'accepted') expect([seat, answers.get(seat)]).toEqual([seat, action])
          else if (tries === 1) expect([seat, answers.has(seat)]).toEqual([seat, false])
          else expect([action, undefined]).toContain(answers.get(seat))
        }
        accepted += recorded.length
      }
      console.info(
        `${engine.name}: ${ROUNDS} kills, ${all.length} decisions by ${accepted} answers, ${interrupted} interrupted`,
      )
      // It was felt.
      expect(interrupted).toBeGreaterThan(0)
    },
  )
})
