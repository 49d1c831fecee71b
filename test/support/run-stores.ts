import {
  AsWfRunStore,
  type AsWfRunStoreOptions,
  type Clock,
  type WfRunStore,
  WfRunStoreMemory,
} from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { WfLedgerRow } from '../fixtures/schemas/wf-ledger-row.as'
import {
  WfEventRow,
  WfLinkRow,
  WfOutboxRow,
  WfRunRow,
  WfSignalRow,
} from '../fixtures/schemas/wf-run-rows.as'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { type TestDatabase, type TestEngine, testEngines } from './databases'

/** A database with the tables of durable runs, and of a ledger. */
export class RunDatabase {
  /** By which its leases run out; each store may have another one for the rest. */
  readonly clock = new FakeClock()
  readonly space
  readonly runs
  readonly events
  readonly links
  readonly outbox
  readonly ledger
  readonly signals

  private constructor(
    readonly database: TestDatabase,
    hasOwnClock: boolean,
  ) {
    const options = hasOwnClock ? {} : { clock: this.clock }
    this.space = database.open(options)
    this.runs = this.space.table(WfRunRow)
    this.events = this.space.table(WfEventRow)
    this.links = this.space.table(WfLinkRow)
    this.outbox = this.space.table(WfOutboxRow)
    this.ledger = this.space.table(WfLedgerRow)
    this.signals = this.space.table(WfSignalRow)
  }

  /** @param hasOwnClock leases run out by the clock of the database itself */
  static async create(engine: TestEngine, hasOwnClock = false): Promise<RunDatabase> {
    const opened = new RunDatabase(await engine.create(), hasOwnClock)
    await opened.space.sync()
    return opened
  }

  store(options: Partial<AsWfRunStoreOptions> & { clock?: Clock } = {}): AsWfRunStore {
    const { space, runs, events, links, signals, clock } = this
    return new AsWfRunStore({ space, runs, events, links, signals, clock, ...options })
  }

  /** Forgets all runs. */
  async clear(): Promise<void> {
    const { runs, events, links, outbox, signals, ledger } = this
    for (const table of [runs, events, links, outbox, signals, ledger]) await table.deleteMany({})
  }

  async drop(): Promise<void> {
    await this.space.close()
    await this.database.drop()
  }
}

/** Runs that several processes of a test share. */
export interface SharedRuns {
  readonly runs: WfRunStore
  readonly clock: FakeClock
}

/**
 * Describes what holds for runs in memory, and on each engine.
 *
 * @param outbox whether messages are kept until they are delivered
 */
export function describeOnRunStores(
  describeRuns: (share: () => SharedRuns) => void,
  { outbox = false } = {},
): void {
  describe('in memory', () => {
    let shared: SharedRuns
    beforeEach(() => {
      const clock = new FakeClock()
      shared = { clock, runs: new WfRunStoreMemory({ clock, outbox }) }
    })
    describeRuns(() => shared)
  })

  describe.each(testEngines())('on $name', engine => {
    let database: RunDatabase

    beforeAll(async () => {
      database = await RunDatabase.create(engine)
    })
    beforeEach(() => database.clear())
    afterAll(() => database.drop())

    describeRuns(() => {
      const table = outbox ? database.outbox : undefined
      return { clock: database.clock, runs: database.store({ outbox: table }) }
    })
  })
}
