import { WfError } from '../../errors'

/**
 * Columns of a scope. They are added to filters of ours, of which an operator could replace a part.
 *
 * @throws WfError `WF_CONFIG`
 */
export function assertColumns<Columns extends Readonly<Record<string, unknown>>>(
  scope: Columns,
): Columns {
  for (const column in scope) {
    if (column.startsWith('$')) throw new WfError('WF_CONFIG', 'scope() names columns alone.')
  }
  return scope
}
