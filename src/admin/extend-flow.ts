import type { WfAdminExtended } from './admin-answers'
import { badRequest, noSuchFlow } from './admin-refusal'
import type { Admin } from './admin-routes'
import { timeOf } from './flow-status'
import { readSeenFlow } from './read-seen-flow'

const LONGEST_MS = 366 * 24 * 60 * 60_000

/** Lets a flow expire later, or at another time. */
export async function extendFlow(admin: Admin): Promise<WfAdminExtended> {
  const { store } = admin
  const { id, version, fields, row } = await readSeenFlow(admin)
  const expiresAt = readExpiry(fields, row.expiresAt ?? null, timeOf(store))
  const written = await store.extendRow(id, version, expiresAt)
  if (written === null) throw noSuchFlow()
  return { version: written, expiresAt }
}

function readExpiry(
  { ttlMs, expiresAt }: Readonly<Record<string, unknown>>,
  current: number | null,
  now: number,
): number {
  if ((ttlMs === undefined) === (expiresAt === undefined)) {
    throw badRequest('Send either "ttlMs" or "expiresAt".')
  }
  if (ttlMs !== undefined && current === null) throw badRequest('This flow never expires.')
  if (ttlMs !== undefined && !(isTime(ttlMs) && ttlMs > 0)) {
    throw badRequest('"ttlMs" is a positive whole number of milliseconds.')
  }
  const asked = ttlMs === undefined ? expiresAt : Math.max(now, current ?? 0) + Number(ttlMs)
  if (!isTime(asked) || asked <= now || asked > now + LONGEST_MS) {
    throw badRequest('A flow can expire within the next 366 days.')
  }
  return asked
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value)
