import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WfPausedResult } from '@atscript/moost-wf/run'
import { serializeAnnotatedType } from '@atscript/typescript/utils'
import { afterAll, beforeAll } from 'vitest'
import { VoteForm } from '../fixtures/schemas/vote-form.as'
import type { TestEngine } from './databases'
import { untilAllHaveEnded } from './run-inspection'
import { RunDatabase } from './run-stores'
import { begunSteps, RunWorker } from './run-workers'

/** How a process of its own looks after what people answer. */
export interface PanelWorkerOptions {
  /** @default so long that no process is so slow that another takes it for dead */
  readonly leaseMs?: number
  /** How it looks after runs by itself. @default not at all */
  readonly worker?: { readonly everyMs: number; readonly concurrency: number }
}

/** What somebody sends by their link. */
export interface PanelAnswer {
  readonly token: string
  readonly action: string
  readonly input?: { readonly comment: string }
  readonly requestId?: string
  readonly actor?: string
}

/** What became of it. */
export interface PanelOutcome {
  readonly kind: 'noted' | 'finished' | 'refused' | 'sent' | 'accepted' | 'reassigned'
  readonly code?: string
}

/** A run that asks several people, each by a link. */
export interface AskedPanel {
  readonly flowId: string
  /** By the ids of their parts, which are their addresses as well. */
  readonly tokens: ReadonlyMap<string, string>
}

const PATIENCE_MS = 30_000

/** A database whose runs ask several people, for processes that the tests of a suite start. */
export function usePanelWorkers(engine: TestEngine) {
  const secret = randomBytes(32).toString('base64url')
  const form = serializeAnnotatedType(VoteForm)
  const workers: RunWorker[] = []
  /** The latest link of each address. No address is in two runs. */
  const mails = new Map<string, string>()
  let database: RunDatabase
  let folder: string
  let panels = 0
  beforeAll(async () => {
    database = await RunDatabase.create(engine, true)
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-panels-'))
  })
  afterAll(async () => {
    for (const worker of workers) await worker.kill()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const log = () => join(folder, 'steps.log')
  return {
    store: () => database.store({ clock: Date, outbox: database.outbox }),
    runs: () => database.runs,
    start: async ({ leaseMs = 600_000, worker }: PanelWorkerOptions = {}) => {
      const { url } = database.database
      const given = { engine: engine.name, url, secret, log: log(), leaseMs, worker, form }
      const started = new RunWorker('panel-worker.mjs', [JSON.stringify(given)], (token, to) =>
        mails.set(to, token),
      )
      workers.push(started)
      await started.ready()
      return started
    },
    /** Asks so many people, and has their mails sent. */
    ask: async (worker: RunWorker, people: number, how: object): Promise<AskedPanel> => {
      const panel = ++panels
      const asked = Array.from({ length: people }, (_, at) => `p${at}.${panel}@x.com`)
      const task = { people: asked.map(to => ({ to })), how }
      const { flowId } = (await worker.run('start', task)) as WfPausedResult & { flowId: string }
      while (!asked.every(to => mails.has(to))) await worker.run('runDue')
      return { flowId, tokens: new Map(asked.map(to => [to, mails.get(to)!])) }
    },
    /** Whatever was decided goes on by itself, also behind a process that has died. */
    untilAllHaveEnded: () => untilAllHaveEnded(database.store({ clock: Date }), PATIENCE_MS),
    /** The latest link that somebody was sent. */
    linkOf: (to: string) => mails.get(to),
    begun: (flowId: string) => begunSteps(log(), flowId),
  }
}

export type PanelWorkers = ReturnType<typeof usePanelWorkers>
