import { HttpError, useResponse } from '@wooksjs/event-http'
import { useLogger } from '@wooksjs/event-core'
import { WfError, type WfErrorCode } from '../../errors'
import type { WfRunView } from '../../runs'
import { AdminRefusal, badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { planDeed } from './plan-deed'
import { readDeed } from './read-deed'
import type { WfAdminDeedPreview, WfAdminDeedStarted } from './run-answers'
import { type DeedOptions, doDeed, obstacleTo, type WfAdminRunDeed } from './run-deeds'
import { runsOf, who } from './runs-of'
import { requireResend } from './send-again'

/** What would be done, and what would be left alone. Changes nothing. */
export async function previewDeed(admin: Admin): Promise<WfAdminDeedPreview> {
  const asked = await readDeed(admin)
  if (asked.deed === 'resend') requireResend(admin)
  return (await planDeed(admin, asked)).preview
}

/** Does it with as many runs as the preview has counted, or with none. It goes on behind the answer. */
export async function actOnRuns(admin: Admin): Promise<WfAdminDeedStarted> {
  const asked = await readDeed(admin)
  const { deed, count, reason, ttlMs, handOver } = asked
  if (count === undefined) throw badRequest('Send the "count" of the preview.')
  if (deed === 'resend') requireResend(admin)
  const { todo, preview } = await planDeed(admin, asked)
  if (preview.count !== count) {
    const message = `It would be ${preview.count} now, and no more ${count}. Look at it again.`
    throw new AdminRefusal(409, 'WF_CONFLICT', message, { count: preview.count })
  }
  const how = { ...(await who(admin)), reason, ttlMs, handOver }
  const logger = useLogger()
  const { id } = admin.jobs.start(
    deed,
    async report => {
      const done = { scanned: 0, changed: 0, skipped: 0 }
      report({ ...done, total: todo.length })
      for (const seen of todo) {
        const changed = await tryDeed(admin, deed, seen, how)
        done.scanned++
        done[changed ? 'changed' : 'skipped']++
        report(done)
      }
    },
    error => logger.error(`The ${deed} of an admin failed`, error),
  )
  useResponse().setStatus(202)
  return { job: id, count }
}

/** What one run is left alone for, and no reason to leave the others alone too. */
const LEFT: ReadonlySet<WfErrorCode> = new Set([
  'WF_TRANSITION',
  'WF_CONFLICT',
  'WF_EXPIRED',
  'WF_OUTLET_FAILED',
])

async function tryDeed(
  admin: Admin,
  deed: WfAdminRunDeed,
  seen: Pick<WfRunView, 'flowId' | 'version'>,
  how: DeedOptions,
): Promise<boolean> {
  const runs = runsOf(admin)
  const run = await runs.get(seen.flowId)
  if (run?.version !== seen.version || obstacleTo({ deed, ...how }, run, timeOf(admin.store)))
    return false
  try {
    return await doDeed(admin, runs, deed, run, how)
  } catch (error) {
    const isLeft = error instanceof WfError && LEFT.has(error.code)
    if (isLeft || error instanceof HttpError) return false
    throw error
  }
}
