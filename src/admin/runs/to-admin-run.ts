import type { WfRunView } from '../../runs'
import type { WfRowColumn } from '../../state'
import type { WfAdminRun } from './run-answers'
import { stateOf } from './run-state'

/** @param columns those that may be shown */
export function toAdminRun(
  run: WfRunView,
  columns: readonly WfRowColumn[],
  now: number,
): WfAdminRun {
  const { flowId, schemaId, version, status, stepId, attempts, lastError, isHeld } = run
  const { correlationId, runKey, startedAt, startedBy, updatedAt, completedAt, activeMs, shadows } =
    run
  return {
    flowId,
    schemaId,
    version,
    status,
    state: stateOf(run, now),
    stepId: stepId ?? null,
    attempts,
    lastError: lastError ?? null,
    isHeld,
    correlationId: correlationId ?? null,
    runKey: runKey ?? null,
    startedAt,
    startedBy: startedBy ?? null,
    updatedAt,
    completedAt: completedAt ?? null,
    expiresAt: run.expiresAt ?? null,
    activeMs,
    values: Object.fromEntries(
      columns.filter(({ path }) => path).map(({ name }) => [name, shadows[name] ?? null]),
    ),
  }
}
