import { Step, Workflow, WorkflowMigration, WorkflowSchema } from '@atscript/moost-wf'
import type { WfMigrate } from '@atscript/moost-wf/moost'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { openExpenses } from '../support/expense-store'
import { buildApp } from '../support/moost-app'

/** A build with one workflow, `approvals/expense`: `submit`, then `decide`. */
async function buildWf(migrate: WfMigrate = () => null) {
  @Controller('approvals')
  class Approvals {
    @Workflow('expense')
    @WorkflowSchema(['submit', 'decide'])
    @WorkflowMigration(migrate)
    expense() {}

    @Step('submit')
    submit() {}

    @Step('decide')
    decide() {}
  }
  const { app, wf } = buildApp([Approvals])
  await app.init()
  return wf
}

/** A state that waits at a step of a build with that shape. */
const pausedAt = (stepId: string, shape: string, schemaId = 'approvals/expense') => ({
  schemaId,
  indexes: [1],
  context: {},
  meta: { wf: { flowId: 'f', seq: 1, startedAt: 0, stepId, shape } },
})

describe('checkPaused', () => {
  it('counts the flows that this build cannot resume, per workflow and step', async () => {
    const wf = await buildWf()
    const shape = wf.describe('approvals/expense')?.shape ?? ''
    const { store, clock } = await openExpenses()
    const states = [
      pausedAt('approvals/decide', shape),
      pausedAt('approvals/decide', 'older'),
      pausedAt('approvals/second-manager', 'older'),
      pausedAt('approvals/second-manager', 'older'),
      pausedAt('approvals/decide', shape, 'approvals/travel'),
    ]
    for (const [n, state] of states.entries()) await store.set(`h${n}`, state)
    await store.set('expired', pausedAt('gone', 'older'), clock.now() + 1)
    clock.advance(2)
    const seen: number[] = []
    const onProgress = ({ checked }: { checked: number }) => void seen.push(checked)
    expect(await store.checkPaused(wf, { batchSize: 2, onProgress })).toEqual({
      checked: 5,
      stranded: [
        { schemaId: 'approvals/expense', stepId: 'approvals/second-manager', count: 2 },
        { schemaId: 'approvals/travel', stepId: 'approvals/decide', count: 1 },
      ],
    })
    expect(seen.at(-1)).toBe(5)
    const filter = { schemaId: 'approvals/travel' }
    expect((await store.checkPaused(wf, { filter })).checked).toBe(1)
  })

  it('asks the migrations, and takes one that fails for none', async () => {
    const { store } = await openExpenses()
    await store.set('h1', pausedAt('approvals/sms', 'older'))
    await store.set('h2', pausedAt('approvals/fax', 'older'))
    const wf = await buildWf((context, { stepId }) => {
      if (stepId === 'approvals/fax') throw new Error('no')
      return { stepId: 'approvals/decide', context }
    })
    const { stranded } = await store.checkPaused(wf)
    expect(stranded).toEqual([{ schemaId: 'approvals/expense', stepId: 'approvals/fax', count: 1 }])
  })

  it.each([0, 1001, 1.5])('refuses a batch of %j', async batchSize => {
    const { store } = await openExpenses()
    await expect(store.checkPaused({}, { batchSize })).rejects.toThrow(TypeError)
  })
})
