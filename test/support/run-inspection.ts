import { isDeepStrictEqual } from 'node:util'
import { AsWfLedger } from '@atscript/moost-wf'
import type { WfStoredRun } from '@atscript/moost-wf/store'
import { expect, vi } from 'vitest'
import { notesByFlow, readNotes, runAgain } from './noted-steps'
import type { OrderClients } from './order-clients'
import type { RunDatabase } from './run-stores'

const STEPS = {
  'shop/order': ['shop/prepare', 'shop/ask', 'shop/pay', 'shop/ship'],
  'shop/job': ['shop/prepare', 'shop/pay', 'shop/ship'],
}

type Store = ReturnType<RunDatabase['store']>

/** All runs, page by page. */
export async function allRuns(store: Store): Promise<WfStoredRun[]> {
  const runs: WfStoredRun[] = []
  for (;;) {
    const page = await store.page({ limit: 500, after: runs.at(-1) })
    runs.push(...page)
    if (page.length < 500) return runs
  }
}

/** Waits until every run has ended, but for those that wait for somebody who was never told of them. */
export async function untilAllHaveEnded(store: Store, timeout: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const open = await allRuns(store)
      const stuck = open.filter(run => !isOver(run) && !isUnanswered(run))
      expect(stuck.map(({ status, dueAt, lastError }) => ({ status, dueAt, lastError }))).toEqual(
        [],
      )
    },
    { timeout, interval: 500 },
  )
}

/** A run that nobody has answered, and nobody works on: it waits, and that is right. */
const isUnanswered = ({ status, answer, dueAt = Infinity, leaseOwner }: WfStoredRun) =>
  status === 'paused' && answer === undefined && dueAt > soon() && leaseOwner === undefined

/** What nobody answers is looked at again when its links have long expired. */
const soon = () => Date.now() + 60_000

const isOver = ({ status }: WfStoredRun) => ['completed', 'failed', 'cancelled'].includes(status)

/**
 * Compares what servers were told, what they have noted and what the database says: no run is lost, no
 * accepted answer, and no committed step ran again.
 *
 * @returns some figures
 */
export async function inspectRuns(
  store: Store,
  { jobs, orders }: OrderClients,
  { notes: file, leaseMs }: { readonly notes: string; readonly leaseMs: number },
) {
  const runs = await allRuns(store)
  const notes = readNotes(file)
  const byFlow = notesByFlow(notes)
  const byOrder = new Map(runs.map(run => [contextOf(run).order, run]))
  const byId = new Map(runs.map(run => [run.flowId, run]))
  for (const flowId of jobs) expect(byId.get(flowId)).toMatchObject({ status: 'completed' })
  for (const { order, told } of orders) {
    const run = byOrder.get(order)
    expect(run).toBeDefined()
    expect(run).toMatchObject({ status: 'completed' })
    if (told !== undefined) expect(contextOf(run!).answer).toBe(told)
  }
  let recoveries = 0
  for (const run of runs) {
    const { flowId, status, schemaId, version } = run
    const history = await store.history(flowId)
    const ofRun = byFlow.get(flowId) ?? []
    expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1))
    expect(version).toBe(history.length)
    recoveries += history.filter(({ type }) => type === 'recovered').length
    expect(runAgain(ofRun, history, leaseMs)).toEqual([])
    const answers = new Set(ofRun.flatMap(({ answer }) => answer ?? []))
    // What was accepted first is what every later execution was given, and what it came to.
    if (answers.size > 0) expect([...answers]).toEqual([contextOf(run).answer])
    if (answers.size > 0) expect(status).toBe('completed')
    if (status !== 'completed') continue
    const done = history.filter(({ type }) => type === 'step_completed')
    const steps = done.map(({ stepId }) => stepId)
    const expected = STEPS[schemaId as keyof typeof STEPS]
    expect(isDeepStrictEqual(steps, expected) || steps).toBe(true)
    expect(contextOf(run)).toMatchObject({ paid: 1, shipped: 1 })
  }
  const begins = notes.filter(({ what }) => what === 'begin').length
  const completed = runs.filter(({ status }) => status === 'completed').length
  return { runs: runs.length, completed, executions: begins, recoveries }
}

/**
 * Compares what steps have counted in their transactions with what is committed of them: each run that has
 * paid was counted once, and nothing else.
 *
 * @returns how many have paid
 */
export async function inspectCounts(database: RunDatabase, totals = 1): Promise<number> {
  const ledger = new AsWfLedger({ table: database.ledger })
  const countOf = async (key: string) => (await ledger.get('paid', key))?.count ?? 0
  let paid = 0
  for (const run of await allRuns(database.store({ clock: Date }))) {
    const { order = '', paid: times = 0 } = contextOf(run)
    expect(await countOf(order)).toBe(times)
    paid += times
  }
  const counts = await Promise.all(
    Array.from({ length: totals }, (_, total) => countOf(`all ${total}`)),
  )
  expect(counts.reduce((sum, count) => sum + count)).toBe(paid)
  return paid
}

interface Context {
  readonly paid?: number
  readonly order?: string
  readonly answer?: number
}

const contextOf = ({ state }: WfStoredRun) => state.context as Context
