import { WfError } from '../../errors'
import { type Clock, systemClock, type WfLedger } from '../../state'
import type { WfTable } from '../rows/wf-table'

/** Options of {@link AsWfStore}. */
export interface AsWfStoreOptions<Row extends object = object> {
  /** The table whose row extends `AsWfStateRecord`. */
  readonly table: WfTable<Row>
  /** @default the machine's */
  readonly clock?: Clock | undefined
  /**
   * Who writes, stamped onto `createdBy` and `lastUpdatedBy`. Called where a flow is written, extended
   * or reissued, and only there: heal, cleanup and workers run outside of any request.
   *
   * @default no one
   */
  readonly actor?: (() => string | undefined) | undefined
  /**
   * Store only a SHA-256 of each handle, so that a stolen dump holds no live links. Handles in `list`
   * are hashes then.
   *
   * @default false
   */
  readonly hashHandles?: boolean | undefined
  /**
   * Where it is noted that a link was revoked or replaced, so that the endpoint, given the same
   * ledger, can say so to whoever opens it.
   *
   * @default none; such a link is answered like any other that does not work
   */
  readonly ledger?: WfLedger | undefined
  /**
   * Told of a shadow column whose path holds a value that it cannot take, once per column.
   *
   * @default console.warn
   */
  readonly warn?: ((message: string) => void) | undefined
}

export type ResolvedAsWfStoreOptions = Pick<AsWfStoreOptions, 'ledger'> & {
  readonly [Option in Exclude<keyof AsWfStoreOptions, 'ledger'>]-?: NonNullable<
    AsWfStoreOptions[Option]
  >
}

const TABLE_METHODS = ['findOne', 'findMany', 'insertOne', 'updateMany', 'deleteMany'] as const

/** @throws WfError `WF_CONFIG` */
export function resolveAsWfStoreOptions(options: AsWfStoreOptions): ResolvedAsWfStoreOptions {
  const { table, clock = systemClock, actor = () => undefined, hashHandles = false } = options
  const { warn = message => console.warn(message) } = options
  check(
    TABLE_METHODS.every(method => typeof table?.[method] === 'function'),
    `table has ${TABLE_METHODS.join(', ')}`,
  )
  const columns = table.type?.type?.props
  check(
    ['handle', 'schemaId', 'state', 'version'].every(column => columns?.has(column)),
    'the row of the table extends AsWfStateRecord',
  )
  check(typeof clock.now === 'function', 'clock has a now()')
  check(typeof actor === 'function', 'actor is a function')
  check(typeof warn === 'function', 'warn is a function')
  check(typeof hashHandles === 'boolean', 'hashHandles is true or false')
  const { ledger } = options
  check(ledger === undefined || typeof ledger.put === 'function', 'ledger has a put()')
  return Object.freeze({ table, clock, actor, hashHandles, warn, ledger })
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `AsWfStore: ${rule}.`)
}
