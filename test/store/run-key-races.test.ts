import { beforeAll, describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { useRunWorkers } from '../support/run-workers'
import { scaled } from '../support/scale'

const PROCESSES = 4
const STARTS = scaled(40, 1000)
const ALIVE = ['created', 'active', 'paused', 'error'] as const

interface Started {
  readonly flowId?: string
  readonly created?: boolean
  readonly code?: string
}

describe.each(testEngines())('starts with one key from 4 processes on $name', engine => {
  const { database, start } = useRunWorkers(engine)

  let workers: Awaited<ReturnType<typeof start>>[]
  beforeAll(async () => {
    workers = await Promise.all(Array.from({ length: PROCESSES }, start))
  })

  const startAll = async (onConflict: 'reject' | 'join' | 'supersede') => {
    const runKey = crypto.randomUUID()
    const task = { runKey, onConflict, many: STARTS / PROCESSES }
    const started = await Promise.all(workers.map(worker => worker.run('startKeyed', task)))
    const all = started.flat() as Started[]
    expect(all).toHaveLength(STARTS)
    const flowIds = all.flatMap(({ flowId }) => flowId ?? [])
    const filter = { flowId: { $in: flowIds }, status: { $in: ALIVE } }
    const alive = await database().runs.findMany({ filter })
    return { all, alive, runKey }
  }

  it('begin one run, and refuse the others', async () => {
    const { all, alive } = await startAll('reject')
    expect(alive).toHaveLength(1)
    expect(all.filter(({ code }) => code === 'WF_ALREADY_ACTIVE')).toHaveLength(STARTS - 1)
  })

  it('come to one run that all of them join', async () => {
    const { all, alive } = await startAll('join')
    expect(all.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(all.map(({ flowId }) => flowId))).toEqual(new Set([alive[0]?.flowId]))
  })

  it('leave one alive that has superseded all others', async () => {
    const { all, alive, runKey } = await startAll('supersede')
    expect(all.every(({ created }) => created)).toBe(true)
    expect(alive).toHaveLength(1)
    expect(alive[0]).toMatchObject({ runKey })
    const rows = await database().runs.findMany({ filter: { status: 'cancelled' } })
    expect(rows).toHaveLength(STARTS - 1)
  })
})
