import { useRouteParams } from '@wooksjs/event-core'
import type { WfRuns, WfRunView } from '../../runs'
import { isStorableText } from '../../state'
import { AdminRefusal } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { readActionBody } from '../read-action-body'

const LONGEST_ID = 640

/** The runs of the application. The routes are there only if it has some. */
export function runsOf({ runs }: Pick<Admin, 'runs'>): WfRuns {
  return (typeof runs === 'function' ? runs() : runs)!
}

/**
 * The same, where they have columns.
 *
 * @throws AdminRefusal 409
 */
export function runsWithColumns(admin: Pick<Admin, 'runs'>): WfRuns {
  const runs = runsOf(admin)
  if (runs.columns().length > 0) return runs
  const message = 'These runs are in no table: there are no columns to filter or to count by.'
  throw new AdminRefusal(409, 'WF_NOT_ALLOWED', message)
}

/** The run in the address. @throws AdminRefusal 404 */
export async function readRun(admin: Admin): Promise<WfRunView> {
  const id = useRouteParams().get('id')
  const isId = typeof id === 'string' && id.length <= LONGEST_ID && isStorableText(id)
  const run = isId ? await runsOf(admin).get(id) : null
  if (!run) throw noSuchRun()
  return run
}

/**
 * The run that an action is about, as the admin has seen it, and what was sent with it.
 *
 * @throws AdminRefusal 404, 409
 */
export async function readSeenRun(admin: Admin) {
  const { version, fields } = await readActionBody()
  const run = await readRun(admin)
  if (run.version === version) return { run, fields }
  throw new AdminRefusal(409, 'WF_CONFLICT', 'The run has moved on since it was looked at.')
}

/** In the history of the run. */
export async function who({ actor }: Admin): Promise<{ readonly actor?: string | undefined }> {
  return { actor: await actor?.() }
}

export const noSuchRun = (): AdminRefusal =>
  new AdminRefusal(404, 'WF_UNKNOWN', 'There is no such run.')
