import { beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { expectDecided, type PanelRule } from '../support/panel-record'
import { type PanelAnswer, type PanelOutcome, usePanelWorkers } from '../support/panel-workers'
import type { RunWorker } from '../support/run-workers'
import { scaled } from '../support/scale'

const ROUNDS = scaled(16, 500)
const PROCESSES = 4
const PEOPLE = 5

interface Vote extends Pick<PanelRule, 'quorum'> {
  readonly votes: readonly ('approve' | 'reject')[]
  readonly runsEach?: true
  readonly canChange?: true
}

const [YES, NO] = ['approve', 'reject'] as const

/** The third answer decides, or an earlier one that makes the decision impossible. */
const VOTES: readonly Vote[] = [
  { quorum: 3, votes: [YES, YES, YES, YES, YES] },
  { quorum: 3, votes: [NO, NO, NO, YES, YES] },
  { quorum: 3, votes: [YES, YES, YES, NO, NO] },
  { quorum: 4, votes: [YES, NO, YES, NO, YES] },
  { quorum: 'all', votes: [YES, YES, NO, YES, YES] },
  { quorum: 'first', votes: [YES, NO, YES, NO, NO] },
  { quorum: 3, votes: [YES, YES, YES, YES, NO], runsEach: true },
  { quorum: 3, votes: [YES, YES, YES, YES, YES], canChange: true },
]

/** The same in another order. */
function shuffled<T>(all: readonly T[]): T[] {
  const places = all.map(one => ({ one, at: Math.random() }))
  return places.toSorted((one, other) => one.at - other.at).map(({ one }) => one)
}

describe.each(testEngines())('5 people who answer in 4 processes at once, on $name', engine => {
  const { store, start, ask, begun } = usePanelWorkers(engine)

  let workers: RunWorker[]
  beforeAll(async () => {
    workers = await Promise.all(Array.from({ length: PROCESSES }, () => start()))
  })

  /** Sends all of them at the same moment, and says which process was told what. */
  async function answerAtOnce(answers: readonly PanelAnswer[]) {
    const shares = workers.map((worker, at) => ({
      worker,
      answers: answers.filter((_, index) => index % PROCESSES === at),
    }))
    const told = await Promise.all(
      shares.map(async ({ worker, answers: some }) => {
        const outcomes = (await worker.run('answer', { answers: some })) as PanelOutcome[]
        return outcomes.map((outcome, at) => ({ ...some[at]!, ...outcome, worker }))
      }),
    )
    return told.flat()
  }

  it(
    `decide once, by the answers that were accepted and no other, ${ROUNDS} times`,
    { timeout: scaled(60_000, 1_800_000) },
    async () => {
      const deciding = new Set<RunWorker>()
      const deciders = new Set<string>()
      let accepting = 0
      for (let round = 0; round < ROUNDS; round++) {
        const { votes, ...how } = VOTES[round % VOTES.length]!
        const { flowId, tokens } = await ask(workers[round % PROCESSES]!, PEOPLE, how)
        const people = [...tokens].map(([seat, token], at) => ({ seat, token, action: votes[at]! }))
        // One of them presses both buttons, and their two answers come to two processes.
        const torn = people[round % PEOPLE]!
        const other = { ...torn, action: torn.action === YES ? NO : YES }
        const answers = shuffled([...people, other])
        const told = (await answerAtOnce(answers)) as ((typeof answers)[number] &
          PanelOutcome & { worker: RunWorker })[]

        const accepted = told.filter(({ kind }) => kind !== 'refused')
        for (const { kind, code } of told) {
          expect(kind === 'refused' ? code : kind).toMatch(/^(?:noted|finished|WF_USED)$/u)
        }
        const named = (all: readonly { seat: string; action: string }[]) =>
          all.map(({ seat, action }) => `${seat} ${action}`).toSorted()
        const recorded = await expectDecided(store(), flowId, { people: PEOPLE, ...how })
        expect(named(accepted)).toEqual(named(recorded))
        if (!how.canChange) {
          expect(new Set(recorded.map(({ seat }) => seat)).size).toBe(recorded.length)
        }
        const [decider, ...none] = told.filter(({ kind }) => kind === 'finished')
        expect(none).toEqual([])
        expect(named([decider!])).toEqual(named(recorded.slice(-1)))
        const asked = how.runsEach ? recorded.length + 1 : 2
        expect(begun(flowId)).toEqual({ decide: asked, tell: 1 })

        const late = await answerAtOnce(shuffled(people.map(one => ({ ...one, action: YES }))))
        expect(late.map(({ code }) => code)).toEqual(people.map(() => 'WF_USED'))
        expect((await store().find(flowId))?.version).toBe((await store().history(flowId)).length)
        deciding.add(decider!.worker)
        deciders.add(decider!.seat.split('.')[0]!)
        accepting += accepted.length
      }
      console.info(
        `${engine.name}: ${accepting} of ${ROUNDS * (PEOPLE + 1)} answers were accepted, ` +
          `${deciders.size} people and ${deciding.size} processes have decided`,
      )
      // Otherwise they have not raced.
      expect(deciding.size).toBeGreaterThan(1)
      expect(deciders.size).toBeGreaterThan(1)
    },
  )
})
