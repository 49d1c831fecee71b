import { isRecord, isStorableText } from '../../state'
import { badRequest, unstorable } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { readFields } from '../read-action-body'
import { readReason, readTtl } from './change-run'
import { readFormer, readNewRecipient, readUser } from './read-recipient'
import { type HandOver, RUN_DEEDS, type WfAdminRunDeed } from './run-deeds'
import { readSelection, type RunSelection, SELECTION, type SelectionSource } from './run-selection'

const MOST_BYTES = 200_000
const MOST_SEEN = 1000
const KNOWN = ['action', 'runs', 'select', 'count', 'ttlMs', 'reason', 'from', 'to', 'user']

/** What is to be done, with which runs. */
export interface AskedDeed {
  readonly deed: WfAdminRunDeed
  /** Runs that were chosen one by one, and the version in which each was seen. */
  readonly seen: ReadonlyMap<string, number> | undefined
  readonly selection: RunSelection
  /** How many the preview has counted. */
  readonly count: number | undefined
  readonly ttlMs: number
  readonly reason: string | undefined
  /** Whose parts go to whom. */
  readonly handOver: HandOver | undefined
}

/** @throws AdminRefusal 400 */
export async function readDeed(admin: Admin): Promise<AskedDeed> {
  const fields = await readFields(MOST_BYTES)
  const unknown = Object.keys(fields).find(key => !KNOWN.includes(key))
  if (unknown !== undefined) throw badRequest(`The fields are ${KNOWN.join(', ')}.`)
  const { action, runs, select, count } = fields
  const deed = RUN_DEEDS.find(one => one === action)
  if (deed === undefined) throw badRequest(`"action" is one of ${RUN_DEEDS.join(', ')}.`)
  if ((runs === undefined) === (select === undefined)) {
    throw badRequest('Send either "runs", or "select" for all that match.')
  }
  if (count !== undefined && !(Number.isSafeInteger(count) && Number(count) >= 0)) {
    throw badRequest('"count" is the count of the preview.')
  }
  return {
    deed,
    seen: runs === undefined ? undefined : readSeen(runs),
    selection: readSelection(admin, sourceOf(select ?? {})),
    count: count as number | undefined,
    ttlMs: deed === 'extend' ? readTtl(fields) : 0,
    reason: readReason(fields),
    handOver: deed === 'reassign' ? readHandOver(fields) : undefined,
  }
}

function readHandOver(fields: Readonly<Record<string, unknown>>): HandOver {
  const from = readFormer(fields.from)
  return { from, to: readNewRecipient(fields.to, from), user: readUser(fields) }
}

function readSeen(runs: unknown): ReadonlyMap<string, number> {
  if (!Array.isArray(runs) || runs.length === 0 || runs.length > MOST_SEEN) {
    throw badRequest(`"runs" are 1 to ${MOST_SEEN} runs.`)
  }
  const seen = new Map<string, number>()
  for (const run of runs) {
    const { flowId, version } = isRecord(run) ? run : {}
    const isId = typeof flowId === 'string' && flowId.length <= 640 && isStorableText(flowId)
    if (!isId || !Number.isSafeInteger(version)) {
      throw badRequest('Each of "runs" has a "flowId" and the "version" that you have seen.')
    }
    seen.set(flowId, version as number)
  }
  return seen
}

/** The fields of a body, read as the parameters of a query are. */
function sourceOf(select: unknown): SelectionSource {
  if (!isRecord(select)) throw badRequest('"select" is an object.')
  const known: readonly string[] = SELECTION
  for (const [name, value] of Object.entries(select)) {
    if (!known.includes(name)) throw badRequest(`"select" has ${known.join(', ')}.`)
    if (typeof value !== 'string') throw badRequest(`"${name}" is a text.`)
    if (!isStorableText(value)) throw unstorable(`"${name}"`)
  }
  const text = (name: string) => (Object.hasOwn(select, name) && String(select[name])) || undefined
  return {
    text,
    choice(name, choices, byDefault) {
      const asked = text(name) ?? byDefault
      const choice = choices.find(one => one === asked)
      if (choice === undefined) throw badRequest(`"${name}" is one of ${choices.join(', ')}.`)
      return choice
    },
  }
}
