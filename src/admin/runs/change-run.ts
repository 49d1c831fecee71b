import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { noSuchRun, readSeenRun, runsOf, who } from './runs-of'

const LONGEST_MS = 366 * 24 * 60 * 60_000
const LONGEST_REASON = 200

/** Ends a run that has not ended. */
export async function cancelRun(admin: Admin) {
  const { run, fields } = await readSeenRun(admin)
  const cancelled = await runsOf(admin).cancel(run.flowId, {
    ...(await who(admin)),
    reason: readReason(fields),
  })
  if (cancelled === null) throw noSuchRun()
  return { cancelled: true }
}

/** Lets a run go on that has failed. */
export async function retryRun(admin: Admin) {
  const { run, fields } = await readSeenRun(admin)
  const how = { ...(await who(admin)), reason: readReason(fields) }
  if (!(await runsOf(admin).retry(run.flowId, how))) throw noSuchRun()
  return { retried: true }
}

/** Lets the links of a run that waits live for so long from now. */
export async function extendRun(admin: Admin) {
  const { run, fields } = await readSeenRun(admin)
  const how = { ...(await who(admin)), ttlMs: readTtl(fields) }
  if (!(await runsOf(admin).extend(run.flowId, how))) {
    throw badRequest('This run waits for nobody who has a link.')
  }
  return { extended: true }
}

/** @throws AdminRefusal 400 */
export function readTtl({ ttlMs }: Readonly<Record<string, unknown>>): number {
  const isTtl = Number.isSafeInteger(ttlMs) && Number(ttlMs) > 0 && Number(ttlMs) <= LONGEST_MS
  if (isTtl) return Number(ttlMs)
  throw badRequest('"ttlMs" is a whole number of milliseconds, of 366 days at most.')
}

/** @throws AdminRefusal 400 */
export function readReason({ reason }: Readonly<Record<string, unknown>>): string | undefined {
  if (reason === undefined || reason === '') return undefined
  if (typeof reason === 'string' && reason.length <= LONGEST_REASON) return reason
  throw badRequest(`"reason" is a text of ${LONGEST_REASON} characters at most.`)
}
