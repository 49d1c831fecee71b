import { WfError } from '../../errors'
import type { Clock } from '../../state'
import { DbSpace } from '../db-space'
import type { D1Binding } from './d1-binding'
import { d1Engine } from './d1-engine'
import { D1Statements } from './d1-statements'

/** How to open a D1 database. */
export interface OpenD1Options {
  /**
   * What `now()` of the space goes by: for tests.
   *
   * @default the clock of the database
   */
  readonly clock?: Clock | undefined
}

/**
 * Opens a D1 database of Cloudflare by the binding that a Worker has of it. It asks nothing of the
 * database yet, so a Worker can do it when it starts.
 *
 * There are no transactions: `space.transaction()` is refused with `WF_CONFIG`. Whatever belongs
 * together is a commit.
 *
 * @throws WfError `WF_CONFIG` for what is no binding of D1
 * @example
 * ```ts
 * import { type D1Binding, openD1 } from '@atscript/moost-wf/db/d1'
 *
 * export const openSpace = (env: { DB: D1Binding }) => openD1(env.DB)
 * ```
 */
export function openD1(binding: D1Binding, { clock }: OpenD1Options = {}): DbSpace {
  if (typeof binding?.prepare !== 'function' || typeof binding.batch !== 'function') {
    throw new WfError(
      'WF_CONFIG',
      'openD1 takes the binding of a D1 database, such as env.DB. Name it under d1_databases in the configuration of wrangler.',
    )
  }
  return new DbSpace(d1Engine(new D1Statements(binding), clock))
}
