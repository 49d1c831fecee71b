import { WfError } from '../../errors'
import type {
  Clock,
  WfDescriber,
  WfDueRun,
  WfHeldRun,
  WfNewRun,
  WfOpenTransaction,
  WfRowColumn,
  WfRunChange,
  WfRunClaimOptions,
  WfRunEvent,
  WfRunLink,
  WfRunOutbox,
  WfRunPageQuery,
  WfRunSignals,
  WfRunStore,
  WfStoredRun,
} from '../../state'
import { changesOf, healRows, type WfHealOptions } from '../rows/heal-rows'
import { resolvePath } from '../rows/resolve-path'
import { readRowColumns } from '../rows/row-column'
import { RowPages } from '../rows/row-pages'
import type {
  WfColumnName,
  WfColumnValue,
  WfCountByOptions,
  WfCountOptions,
  WfListOptions,
  WfSelected,
} from '../rows/row-query'
import { ShadowColumns } from '../rows/shadow-columns'
import type { WfCheckPausedOptions } from '../states/check-paused'
import { primitiveOf } from '../rows/shadow-field'
import { type VersionedRow, VersionedRows } from '../rows/versioned-rows'
import type { WfCount, WfSql, WfTable } from '../rows/wf-table'
import {
  type AsWfRunStoreOptions,
  resolveRunStoreOptions,
  type WfRunTransaction,
} from './as-wf-run-store-options'
import { eventsOf } from './event-row'
import {
  canBeKey,
  findByLink,
  findDueRuns,
  findManyRuns,
  findNextDue,
  findRun,
  isInScope,
  pageOfRuns,
} from './find-runs'
import { checkRuns } from './check-runs'
import { claimRun, postponeRun, releaseRun, renewLease } from './hold-run'
import { openTransaction } from './open-transaction'
import { removeEndedRuns, type WfRetentionOptions } from './remove-ended-runs'
import { RunOutbox } from './run-outbox'
import { RunSignals } from './run-signals'
import { noteOpened } from './note-opened'
import { linkOf, type Row, runOf } from './run-row'
import { type RunTables, withShadows } from './run-tables'
import { keyInScope } from './scoped-key'
import { supersedeRun } from './supersede-run'
import { beginRun, commitRun } from './write-run'

/**
 * Durable runs in tables of a database: the runs, their history, their links and, where there is a table for
 * them, their messages. Each step of a run's life is one commit over all of them.
 *
 * @example
 * ```ts
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { AsWfRunStore } from '@atscript/moost-wf/store'
 * import { WfEventRow, WfLinkRow, WfRunRow } from './schemas/WfRunRows.as'
 *
 * const space = openSqlite('app.db', { synchronous: 'full' })
 * const runs = new AsWfRunStore({
 *   space,
 *   runs: space.table(WfRunRow),
 *   events: space.table(WfEventRow),
 *   links: space.table(WfLinkRow),
 * })
 * await space.sync()
 * ```
 */
export class AsWfRunStore<RunRow extends object = object> implements WfRunStore {
  readonly clock: Clock
  readonly outbox: WfRunOutbox | undefined
  readonly signals: WfRunSignals | undefined
  readonly #tables: RunTables
  readonly #pages: RowPages<VersionedRow>
  #scopeOf: (() => Record<string, unknown>) | undefined

  /** @throws WfError `WF_CONFIG` */
  constructor(options: AsWfRunStoreOptions<RunRow>) {
    const resolved = resolveRunStoreOptions(options)
    const { runs, clock, warn } = resolved
    this.clock = clock
    const scope = () => this.#scopeOf?.() ?? this.scope()
    const rows = new VersionedRows<VersionedRow>(runs, { key: 'flowId', scope })
    this.#pages = new RowPages(rows)
    const shadows: ShadowColumns = new ShadowColumns(
      runs,
      {
        scanShadowFields: () => shadows.scan(),
        resolveFieldPrimitive: primitiveOf,
        resolvePath,
        coerceShadowValue: (raw, spec) => shadows.coerce(raw, spec),
        onShadowTypeMismatch: (...mismatch) => shadows.warn(...mismatch),
      },
      warn,
    )
    shadows.scan()
    this.#tables = { options: resolved, rows, shadows }
    this.outbox = resolved.outbox && new RunOutbox(this.#tables, resolved.outbox)
    this.signals = resolved.signals && new RunSignals(this.#tables, resolved.signals)
  }

  /**
   * The same runs, within a transaction of the same database: what is written through it is committed
   * with the transaction, or not at all.
   */
  within(transaction: object): AsWfRunStore<RunRow> {
    const { space, runs, events, links, outbox, signals, clock, warn } = this.#tables.options
    const { commit, table } = transaction as WfRunTransaction
    if (typeof commit !== 'function' || typeof table !== 'function') {
      throw new WfError('WF_CONFIG', 'A transaction is what space.transaction() gives.')
    }
    const inside = new AsWfRunStore<RunRow>({
      space: {
        commit: change => commit(change),
        now: offsetMs => space.now(offsetMs),
        transaction: work => work(transaction as WfRunTransaction),
      },
      runs: table(runs.type) as WfTable<RunRow>,
      events: table(events.type),
      links: table(links.type),
      outbox: outbox && table(outbox.type),
      signals: signals && table(signals.type),
      clock,
      warn,
    })
    inside.#scopeOf = () => this.#tables.rows.scope()
    return inside
  }

  /**
   * Opens a transaction for what is committed together with a run. Nobody else can use its connection until
   * it ends.
   */
  openTransaction(): Promise<WfOpenTransaction> {
    return openTransaction(this.#tables, transaction => this.within(transaction))
  }

  begin(fresh: WfNewRun, change: WfRunChange): Promise<WfHeldRun | null> {
    return beginRun(this.#tables, fresh, change)
  }

  supersede(
    former: WfHeldRun,
    end: WfRunChange,
    fresh: WfNewRun,
    change: WfRunChange,
  ): Promise<WfHeldRun | null> {
    return supersedeRun(this.#tables, former, end, fresh, change)
  }

  commit(held: WfHeldRun, change: WfRunChange): Promise<WfHeldRun | null> {
    return commitRun(this.#tables, held, change)
  }

  claim(run: WfStoredRun, options: WfRunClaimOptions): Promise<WfHeldRun | null> {
    return claimRun(this.#tables, run, options)
  }

  renew(held: WfHeldRun, ms: number): Promise<boolean> {
    return renewLease(this.#tables, held, ms)
  }

  release(held: WfHeldRun): Promise<boolean> {
    return releaseRun(this.#tables, held)
  }

  postpone(
    run: WfStoredRun,
    ms: number,
    lastError: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    return postponeRun(this.#tables, run, ms, lastError)
  }

  find(flowId: string, { everywhere = false } = {}): Promise<WfStoredRun | null> {
    return findRun(this.#tables, { flowId }, everywhere)
  }

  async findByKey(runKey: string): Promise<WfStoredRun | null> {
    if (!canBeKey(runKey)) return null
    return findRun(this.#tables, { runKey: await keyInScope(this.#tables.rows.scope(), runKey) })
  }

  findByLink(hash: string, { everywhere = false } = {}) {
    return findByLink(this.#tables, hash, everywhere)
  }

  getMany(flowIds: readonly string[]): Promise<readonly WfStoredRun[]> {
    return findManyRuns(this.#tables, flowIds)
  }

  page(query: WfRunPageQuery): Promise<readonly WfStoredRun[]> {
    return pageOfRuns(this.#tables, query)
  }

  due(limit: number): Promise<readonly WfDueRun[]> {
    return findDueRuns(this.#tables, limit)
  }

  nextDue(withinMs: number): Promise<number | undefined> {
    return findNextDue(this.#tables, withinMs)
  }

  async history(flowId: string): Promise<readonly WfRunEvent[]> {
    if (!(await isInScope(this.#tables, flowId))) return []
    const controls = { $sort: { seq: 1 } }
    const rows = await this.#tables.options.events.findMany({ filter: { flowId }, controls })
    return rows.flatMap(row => eventsOf(row as Row))
  }

  async links(flowId: string): Promise<readonly WfRunLink[]> {
    if (!(await isInScope(this.#tables, flowId))) return []
    const rows = await this.#tables.options.links.findMany({ filter: { flowId } })
    return rows.map(row => linkOf(row as Row))
  }

  noteOpened(hash: string): Promise<void> {
    return noteOpened(this.#tables, hash)
  }

  isForAll(): boolean {
    return Object.keys(this.#tables.rows.scope()).length === 0
  }

  // Runs as an admin sees them.

  /** The columns that may be shown: those that hold a single value each, and nothing sealed. */
  columns(): readonly WfRowColumn[] {
    return readRowColumns(this.#tables.options.runs.type, this.#tables.shadows.fields)
  }

  /** Rows of runs, those that have ended included. */
  async list<Selected extends WfColumnName<RunRow> = WfColumnName<RunRow>>(
    options: WfListOptions<RunRow, Selected> = {},
  ): Promise<WfSelected<RunRow, Selected, Record<string, unknown>>[]> {
    return (await this.#pages.list(options)) as never
  }

  async count(options: WfCountOptions<RunRow> = {}): Promise<number> {
    return this.#pages.count(options)
  }

  /** How many runs have each value of a column, the most frequent first. */
  async countBy<Column extends WfColumnName<RunRow>>(
    column: Column,
    options: WfCountByOptions<RunRow> = {},
  ): Promise<readonly WfCount<WfColumnValue<RunRow, Column>>[]> {
    return (await this.#pages.countBy(column, options)) as never
  }

  /** The SQL that `list` or `count` would run; `null` if the table cannot tell. */
  toSql(operation: 'list' | 'count', options: WfListOptions<RunRow> = {}): WfSql | null {
    return this.#pages.toSql(operation, options)
  }

  /**
   * Writes the shadow columns of all runs anew, for a column that was added later, and returns how many
   * rows that changed. Never overwrites a newer write; leaves `version` and the history alone.
   */
  async heal(options: WfHealOptions<RunRow> = {}): Promise<number> {
    if (this.#tables.shadows.fields.length === 0) return 0
    const correct = (row: VersionedRow) =>
      changesOf(row, withShadows(this.#tables, { ...row }, runOf(row as Row)))
    return healRows(this.#tables.rows, correct, options)
  }

  /** How many runs have shadow columns that differ from their context. */
  async drift({ filter }: Pick<WfHealOptions<RunRow>, 'filter'> = {}): Promise<number> {
    return this.heal({ filter, dryRun: true })
  }

  /**
   * Counts the runs that a build could not go on with, per step: before a deploy. Those that have failed are
   * looked at too, for they can be tried again.
   *
   * @example
   * ```ts
   * import type { MoostWf } from '@atscript/moost-wf'
   * import type { AsWfRunStore } from '@atscript/moost-wf/store'
   *
   * export async function checkDeploy(runs: AsWfRunStore, wf: MoostWf) {
   *   const { checked, stranded } = await runs.checkPaused(wf)
   *   console.log(`${checked} runs`, stranded)
   *   if (stranded.length > 0) process.exitCode = 1
   * }
   * ```
   */
  async checkPaused(wf: WfDescriber, options: WfCheckPausedOptions<RunRow> = {}) {
    return checkRuns(this.#tables, wf, options)
  }

  async removeEnded(options: WfRetentionOptions): Promise<number> {
    return removeEndedRuns(this.#tables, options)
  }

  /**
   * Columns of your row of runs that keep tenants apart, such as a tenant's id: stamped onto new runs, and
   * part of every search. Asked within a request alone: what goes on with a run by itself finds it
   * whichever tenant's it is, and leaves these columns as the row has them.
   */
  protected scope(): Record<string, unknown> {
    return {}
  }
}
