import { notesOf } from '../state'
import type { WfAdminRowView } from '../store'
import { fits } from '../run'
import type { WfAdminFlow, WfAdminObstacle, WfAdminRow } from './admin-answers'
import { noSuchFlow } from './admin-refusal'
import type { Admin } from './admin-routes'
import { describeSteps } from './describe-steps'
import { timeOf } from './flow-status'
import { type FindHandles, hideTokens } from './hide-tokens'
import { readRowId } from './read-row-id'
import { redactContext } from './redact-context'
import { textsCutInTokens } from './texts-cut-in-tokens'
import { idColumnOf, shownColumns } from './shown-columns'
import { toAdminRow } from './to-admin-row'

/** All that may be known of one flow. */
export async function showFlow(admin: Admin): Promise<WfAdminFlow> {
  const { store, wf, isSecret } = admin
  const view = await store.getRow(readRowId(admin))
  if (!view) throw noSuchFlow()
  const { row, state } = view
  const now = timeOf(store)
  const shown = toAdminRow(row, shownColumns(admin), idColumnOf(admin).name, now)
  const { flow, pause, position } = (state && notesOf(state)) ?? {}
  const obstacle = obstacleTo(admin, view, shown.status)
  const findHandles: FindHandles = texts => store.handlesAmong(texts)
  const hide = await textsCutInTokens(state?.context, findHandles)
  if (row.handle) hide.push(row.handle)
  const answer = {
    ...shown,
    now,
    schemaId: row.schemaId,
    flowId: flow?.flowId ?? null,
    stepId: position?.stepId ?? null,
    outlet: pause?.outlet ?? null,
    pauses: flow?.seq ?? null,
    problem: pause?.problem ?? null,
    expiresAt: row.expiresAt ?? null,
    startedAt: flow?.startedAt ?? null,
    startedBy: flow?.startedBy ?? null,
    updatedAt: row.updatedAt,
    shape: { flow: position?.shape ?? null, build: wf.describe?.(row.schemaId)?.shape ?? null },
    resumable: obstacle === null,
    obstacle,
    context: state && redactContext(state.context, { isSecret, hide }),
    ...describeSteps(wf.describe?.(row.schemaId), state?.indexes),
  }
  return hideTokens(answer, findHandles)
}

function obstacleTo(
  { wf }: Admin,
  { state }: WfAdminRowView,
  status: WfAdminRow['status'],
): WfAdminObstacle | null {
  if (!state) return 'damaged'
  if (wf.describe && !wf.describe(state.schemaId)) return 'unknown-workflow'
  if (!fits(state, wf)) return 'definition-changed'
  return status === 'expired' ? 'expired' : null
}
