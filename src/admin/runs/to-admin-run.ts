import type { WfRunView } from '../../runs'
import type { WfAdminRun } from './run-answers'

export function toAdminRun(run: WfRunView): WfAdminRun {
  const { flowId, schemaId, version, status, stepId, attempts, lastError, isHeld } = run
  const { correlationId, runKey, startedAt, startedBy, updatedAt, completedAt, activeMs } = run
  return {
    flowId,
    schemaId,
    version,
    status,
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
    activeMs,
  }
}
