import type { WfAdminColumn, WfAdminRunView } from '@atscript/moost-wf/admin'
import { getColumns, getFlows } from '../admin/admin-api'
import { cellText } from '../admin/cell-text'
import { getRun, getRunColumns, getRuns } from '../admin/runs-api'
import type { Mail } from '../inbox/inbox-api'

/** What the console says of the workflow that a mail belongs to. */
export interface MailRow {
  readonly path: string
  readonly workflow: string
  readonly status: string
  readonly step?: string | undefined
  readonly startedAt?: number | undefined
  readonly facts: readonly { readonly label: string; readonly text: string }[]
}

/** A mail is about one of the newest runs, or nobody looks at it any more. */
const NEWEST = 20

/** Where the state is that the link of a mail leads to; `undefined` if that is in the link itself. */
const keptIn = ({ text }: Mail) => /\?wfs=(durable|handle)\./u.exec(text)?.[1]

export const hasRow = (mail: Mail): boolean => keptIn(mail) !== undefined

/** The row of the console that a mail belongs to, if it is there; for admins. */
export async function findRow(mail: Mail, signal: AbortSignal): Promise<MailRow | undefined> {
  const kept = keptIn(mail)
  if (kept === 'durable') return findRun(mail, signal)
  return kept ? findFlow(mail, signal) : undefined
}

async function findRun({ messageId }: Mail, signal: AbortSignal): Promise<MailRow | undefined> {
  const { runs } = await getRuns({ state: 'all', size: NEWEST }, signal)
  for (const { flowId } of runs) {
    const run = await getRun(flowId, signal)
    if (run.messages.some(message => message.messageId === messageId)) return rowOfRun(run)
  }
  return undefined
}

async function rowOfRun(run: WfAdminRunView): Promise<MailRow> {
  const { columns } = await getRunColumns()
  return {
    path: `/admin/runs/${encodeURIComponent(run.flowId)}`,
    workflow: run.schemaId,
    status: run.state === 'expired' ? 'expired' : run.status,
    step: run.stepId?.split('/').pop(),
    startedAt: run.startedAt,
    facts: factsOf(columns, run.values),
  }
}

/** By whom it went to, and when: the one that paused at the moment at which the mail was sent. */
async function findFlow(mail: Mail, signal: AbortSignal): Promise<MailRow | undefined> {
  const query = { status: 'all', search: mail.to, sort: '-updatedAt', page: 1, size: NEWEST }
  const [{ rows }, { columns }] = await Promise.all([getFlows(query, signal), getColumns()])
  const sentAt = Date.parse(mail.date)
  const distance = (values: Readonly<Record<string, unknown>>) =>
    Math.abs(Number(values.updatedAt) - sentAt)
  const [row] = rows.toSorted((one, other) => distance(one.values) - distance(other.values))
  return (
    row && {
      path: `/admin/flows/${encodeURIComponent(row.id)}`,
      workflow: String(row.values.schemaId),
      status: row.status,
      startedAt: typeof row.values.startedAt === 'number' ? row.values.startedAt : undefined,
      facts: factsOf(columns, row.values),
    }
  )
}

const factsOf = (columns: readonly WfAdminColumn[], values: Readonly<Record<string, unknown>>) =>
  columns
    .filter(({ shadow, hidden }) => shadow && !hidden)
    .map(column => ({ label: column.label, text: cellText(column, values[column.name]) }))
    .filter(({ text }) => text !== '')
