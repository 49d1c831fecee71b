import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DbSpace,
  type DbTable,
  type DbTableType,
  deleteFrom,
  insertInto,
  updateIn,
} from '@atscript/moost-wf/db'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestEngine, testEngines } from '../support/databases'
import { root } from '../support/project'
import { scaled } from '../support/scale'
// @ts-expect-error -- plain JavaScript, which the worker processes load as well
import { EventType, LinkType, RunType } from '../support/commit-table-types.mjs'

type Row = Record<string, unknown>

const RUNS = ['r1', 'r2', 'r3']
const WORKERS = 2
const ROUNDS = scaled(6, 60)

const engines: TestEngine[] = testEngines().flatMap(engine =>
  engine.name === 'MariaDB' ? [engine, { ...engine, name: 'MariaDB, as MySQL would be' }] : engine,
)

describe.each(engines)('commits of processes that are killed, on $name', ({ name, create }) => {
  it('are there as a whole or not at all, and their ids tell which', async () => {
    const database = await create()
    const space = database.open()
    const folder = mkdtempSync(join(tmpdir(), 'moost-wf-commits-'))
    onTestFinished(async () => {
      await space.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    })
    const runs = space.table(RunType as DbTableType)
    const events = space.table(EventType as DbTableType)
    const links = space.table(LinkType as DbTableType)
    await space.sync()
    await runs.insertMany(RUNS.map(id => ({ id, version: 1 })))

    for (let round = 0; round < ROUNDS; round++) {
      const killed = Array.from({ length: WORKERS }, (_, worker) =>
        killInTheMiddle(name, database.url, join(folder, `${round}.${worker}.log`), round + worker),
      )
      await Promise.all(killed)
    }

    for (const run of RUNS) await endAttempts(space, run)
    for (const run of RUNS) await checkWhole(run, { runs, events, links })
    const logs = Array.from({ length: ROUNDS * WORKERS }, (_, n) =>
      join(folder, `${Math.floor(n / WORKERS)}.${n % WORKERS}.log`),
    )
    const told = await checkLogs(logs, events)
    expect(told.held).toBeGreaterThan(ROUNDS)
    expect(told.unknown).toBeGreaterThan(0)
  })
})

/** Lets a process commit some times, and kills it wherever it is then. */
async function killInTheMiddle(engine: string, url: string, log: string, commits: number) {
  const worker = join(root, 'test/support/commit-worker.mjs')
  const child = fork(worker, [engine, url, log, ...RUNS])
  const gone = once(child, 'exit')
  let held = 0
  child.on('message', () => {
    if (++held > commits) child.kill('SIGKILL')
  })
  const [, signal] = await gone
  expect(signal).toBe('SIGKILL')
}

/** A server may still be at work for a process that is gone. What moves the run on ends that. */
async function endAttempts(space: DbSpace, run: string) {
  for (;;) {
    const found = await space.table(RunType as DbTableType).findOne({ filter: { id: run } })
    const version = Number(found!.version)
    const event = (seq: number) => ({ run, seq, version, filler: '' })
    const { held } = await space.commit({
      write: updateIn(RunType as DbTableType, { id: run, version }, { version: version + 1 }),
      with: [
        insertInto(EventType as DbTableType, [event(2 * version), event(2 * version + 1)]),
        deleteFrom(LinkType as DbTableType, { run }),
        insertInto(LinkType as DbTableType, { run, version: version + 1 }),
      ],
    })
    if (held) return
  }
}

async function checkWhole(
  run: string,
  { runs, events, links }: Record<'runs' | 'events' | 'links', DbTable<Row>>,
) {
  const { version, commitId } = (await runs.findOne({ filter: { id: run } }))!
  const history = await events.findMany({ filter: { run }, controls: { $sort: { seq: 1 } } })
  const expected = Array.from({ length: 2 * (Number(version) - 1) }, (_, n) => n + 2)
  expect(history.map(({ seq }) => seq)).toEqual(expected)
  for (let at = 0; at < history.length; at += 2) {
    expect(history[at + 1]).toMatchObject({ commitId: history[at]!.commitId })
  }
  expect(history.at(-1)?.commitId).toBe(commitId)
  const alive = await links.findMany({ filter: { run } })
  expect(alive.map(link => link.version)).toEqual([version])
}

/** Each commit that was answered is or is not there, as the answer was. */
async function checkLogs(logs: readonly string[], events: DbTable<Row>) {
  const told = new Map<string, string>()
  for (const log of logs.filter(file => existsSync(file))) {
    for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
      const [outcome = '', commitId = ''] = line.split(' ')
      told.set(commitId, outcome)
    }
  }
  const counts = { held: 0, lost: 0, unknown: 0 }
  for (const [commitId, outcome] of told) {
    const isThere = await events.hasCommit(commitId, {})
    if (outcome === 'tried') counts.unknown++
    else {
      counts[outcome as 'held' | 'lost']++
      expect(isThere, `${commitId} was ${outcome}`).toBe(outcome === 'held')
    }
    const rows = await events.count({ filter: { commitId } })
    expect(rows).toBe(isThere ? 2 : 0)
  }
  return counts
}
