import { WfError } from '../../errors'
import { type Clock, systemClock } from '../../state'
import type { WfTable } from '../rows/wf-table'
import { hasColumns } from './run-row'

/** What {@link AsWfRunStore} needs of a database: that of `@atscript/moost-wf/db`. */
export interface WfRunSpace {
  /** Writes a row under a condition, and what belongs to it, or nothing. */
  commit(commit: object): Promise<{ readonly held: boolean }>
  /** A moment by the clock of the database. */
  now(offsetMs?: number): object
  /**
   * `false` for a database that keeps none open: what belongs together is then one commit, and no step
   * gets a transaction of its own.
   *
   * @default true
   */
  readonly hasTransactions?: boolean | undefined
  transaction<R>(work: (transaction: WfRunTransaction) => Promise<R>): Promise<R>
}

/** What it needs of a transaction of that database. */
export interface WfRunTransaction extends Pick<WfRunSpace, 'commit'> {
  // oxlint-disable-next-line typescript/no-explicit-any -- a compiled interface, whatever the database makes of it
  table(type: any): WfTable
}

/** Options of {@link AsWfRunStore}. */
export interface AsWfRunStoreOptions<Row extends object = object> {
  /** The database of the tables. */
  readonly space: WfRunSpace
  /** The table whose row extends `AsWfRunRecord`. */
  readonly runs: WfTable<Row>
  /** The table whose row extends `AsWfEventRecord`. */
  readonly events: WfTable
  /** The table whose row extends `AsWfLinkRecord`. */
  readonly links: WfTable
  /**
   * The table whose row extends `AsWfOutboxRecord`. With it, and a strategy that has a `secret`, a message
   * to someone else is written together with the pause that it announces, and delivered behind it.
   *
   * @default none: the request delivers it
   */
  readonly outbox?: WfTable | undefined
  /**
   * The table whose row extends `AsWfSignalRecord`: what machines tell runs, by `runs.signal()`.
   *
   * @default none: runs get no signals
   */
  readonly signals?: WfTable | undefined
  /**
   * Decides when links expire, and stamps rows. Leases go by the clock of the database.
   *
   * @default the machine's
   */
  readonly clock?: Clock | undefined
  /**
   * Told of a shadow column whose path holds a value that it cannot take, once per column.
   *
   * @default console.warn
   */
  readonly warn?: ((message: string) => void) | undefined
}

export type ResolvedRunStoreOptions = {
  readonly [Option in keyof Omit<AsWfRunStoreOptions, 'outbox' | 'signals'>]-?: NonNullable<
    AsWfRunStoreOptions[Option]
  >
} & Pick<AsWfRunStoreOptions, 'outbox' | 'signals'>

const COLUMNS = {
  runs: ['flowId', 'status', 'version', 'claimSeq', 'leaseUntil', 'leaseOwner', 'commitId'],
  events: ['flowId', 'seq', 'type', 'detail'],
  links: ['hash', 'flowId', 'pause', 'audience'],
  signals: ['flowId', 'seq', 'name', 'payload'],
  outbox: ['messageId', 'flowId', 'pause', 'content', 'status', 'dueAt', 'claimSeq'],
} as const

/** @throws WfError `WF_CONFIG` */
export function resolveRunStoreOptions(options: AsWfRunStoreOptions): ResolvedRunStoreOptions {
  const { space, runs, events, links, outbox, signals, clock = systemClock } = options
  const { warn = message => console.warn(message) } = options
  check(
    typeof space?.commit === 'function' && typeof space.now === 'function',
    'space has commit() and now()',
  )
  check(hasColumns(runs, COLUMNS.runs), 'the row of runs extends AsWfRunRecord')
  check(hasColumns(events, COLUMNS.events), 'the row of events extends AsWfEventRecord')
  check(hasColumns(links, COLUMNS.links), 'the row of links extends AsWfLinkRecord')
  const isOutbox = outbox === undefined || hasColumns(outbox, COLUMNS.outbox)
  check(isOutbox, 'the row of the outbox extends AsWfOutboxRecord')
  const areSignals = signals === undefined || hasColumns(signals, COLUMNS.signals)
  check(areSignals, 'the row of signals extends AsWfSignalRecord')
  check(typeof clock.now === 'function', 'clock has a now()')
  check(typeof warn === 'function', 'warn is a function')
  return Object.freeze({ space, runs, events, links, outbox, signals, clock, warn })
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `AsWfRunStore: ${rule}.`)
}
