import type { WfPausedResult } from '@atscript/moost-wf/run'
import type { WfRunEvent } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { type RunWorker, useRunWorkers } from '../support/run-workers'
import { scaled } from '../support/scale'

const KILLS = scaled(1, 20)
const NAME = 'Ada Lovelace'

const ASKED = ['workflow_created', 'paused']
const ANSWERED = [...ASKED, 'resumed', 'step_started', 'step_completed']
const WORKED = [...ANSWERED, 'step_started', 'step_completed']

/** What is there of a run whose process was killed at this point. */
const POINTS = {
  'before the claim': { status: 'paused', types: ASKED, isKept: false, isHeld: false },
  'behind the claim': { status: 'paused', types: ASKED, isKept: true, isHeld: true },
  'in the step that was answered': { status: 'paused', types: ASKED, isKept: true, isHeld: true },
  'in the step': { status: 'active', types: ANSWERED, isKept: false, isHeld: true },
  'between step and commit': { status: 'active', types: ANSWERED, isKept: false, isHeld: true },
  'behind the commit': { status: 'active', types: WORKED, isKept: false, isHeld: true },
  'in the delivery': {
    status: 'paused',
    types: [...WORKED, 'paused'],
    isKept: false,
    isHeld: false,
  },
} as const

describe.each(testEngines())('a process that is killed, on $name', engine => {
  const { database, start, begun } = useRunWorkers(engine)
  let survivor: Promise<RunWorker> | undefined

  const look = async (flowId: string) => {
    const store = database().store()
    return { run: (await store.find(flowId))!, history: await store.history(flowId) }
  }

  /** No live process is so slow that this takes it for a dead one. */
  const letLeaseRunOut = (flowId: string) =>
    database().runs.updateMany({ flowId, leaseOwner: { $ne: null } }, { leaseUntil: 1, dueAt: 1 })

  it.each(Object.entries(POINTS))(
    `%s has lost nothing that was committed, ${KILLS} times of ${KILLS}`,
    async (point, { status, types, isKept, isHeld }) => {
      const worker = await (survivor ??= start())
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = await start()
        const { token, flowId } = (await worker.run('start')) as WfPausedResult & { flowId: string }
        const answer = { token, input: { name: NAME } }
        await victim.killAt(point, 'resume', answer)

        // It is where its last commit was, and what was accepted is there, sealed.
        const left = await look(flowId)
        expect(left.run).toMatchObject({ status, version: types.length })
        expect(typesOf(left.history)).toEqual(types)
        expect([left.run.answer !== undefined, left.run.leaseOwner !== undefined]).toEqual([
          isKept,
          isHeld,
        ])
        expect(left.run.answer ?? '').not.toContain('Ada')
        const before = begun(flowId)

        // Nothing was accepted before the claim: whoever has sent it sends it again.
        if (point === 'before the claim') await worker.run('resume', answer)
        await letLeaseRunOut(flowId)
        expect(await worker.run('recover')).toMatchObject({ done: isHeld ? 1 : 0 })
        const decision = {
          token: victim.mails[0] ?? worker.mails.at(-1),
          input: { decision: 'yes' },
        }
        expect(await worker.run('resume', decision)).toMatchObject({ kind: 'finished' })
        const { run, history } = await look(flowId)
        expect(run.state.context).toEqual({ name: NAME, work: 1, decision: 'yes' })
        expect(run).toMatchObject({ status: 'completed', version: history.length })
        const completed = stepsOf(left.history)
        const after = begun(flowId)
        for (const step of completed) expect([step, after[step]]).toEqual([step, before[step]])
        expect(stepsOf(history)).toEqual(['ask', 'work', 'mail', 'last'])
        expect(after).toMatchObject({ send: 1, mail: 1, last: 1 })
      }
    },
  )
})

const typesOf = (history: readonly WfRunEvent[]) => history.map(({ type }) => type)

const stepsOf = (history: readonly WfRunEvent[]) =>
  history.flatMap(({ type, stepId = '' }) => (type === 'step_completed' ? [stepId] : []))
