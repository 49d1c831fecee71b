import {
  contextInJson,
  isEnd,
  JsonText,
  type WfRunLink,
  type WfRunMessage,
  type WfStoredRun,
} from '../../state'
import type { WfTable } from '../rows/wf-table'
import { keyWithoutScope } from './scoped-key'

/** A row, as a table gives it out: what has no value is null. */
export type Row = Readonly<Record<string, unknown>>

/** When a column of a run is written. Those that stay what they are at most changes are indexed, most of them. */
const WRITTEN: Readonly<
  Record<keyof WfStoredRun, 'each time' | 'when it changes' | 'at the start' | 'by claims'>
> = {
  flowId: 'at the start',
  schemaId: 'at the start',
  status: 'when it changes',
  stepId: 'each time',
  version: 'each time',
  state: 'when it changes',
  input: 'at the start',
  answer: 'each time',
  runKey: 'when it changes',
  correlationId: 'at the start',
  metadata: 'at the start',
  expiresAt: 'when it changes',
  waitsFor: 'when it changes',
  signalSeq: 'by claims',
  attempts: 'when it changes',
  dueAt: 'by claims',
  leaseUntil: 'by claims',
  leaseOwner: 'by claims',
  claimSeq: 'by claims',
  lastError: 'each time',
  result: 'when it changes',
  startedAt: 'at the start',
  startedBy: 'at the start',
  lastStartedAt: 'by claims',
  activeMs: 'each time',
  completedAt: 'when it changes',
  createdAt: 'at the start',
  updatedAt: 'each time',
  createdBy: 'at the start',
  lastUpdatedBy: 'when it changes',
}
const SELDOM = (Object.keys(WRITTEN) as (keyof WfStoredRun)[]).filter(
  column => WRITTEN[column] === 'when it changes' && column !== 'state',
)

/**
 * What is written when a run changes, but for its lease and its shadow columns. What others than who
 * holds it may have written is among it, whether or not it has changed.
 */
export function changedColumnsOf(former: WfStoredRun, run: WfStoredRun): Record<string, unknown> {
  const {
    state,
    stepId = null,
    version,
    answer = null,
    lastError = null,
    activeMs,
    updatedAt,
  } = run
  const columns: Record<string, unknown> = {
    stepId,
    version,
    answer,
    lastError,
    activeMs,
    updatedAt,
  }
  if (state !== former.state) columns.state = stateColumn(run)
  for (const name of SELDOM) if (run[name] !== former[name]) columns[name] = run[name] ?? null
  return columns
}

/** All columns of a new run, but for its shadow columns. */
export function newColumnsOf(run: WfStoredRun): Record<string, unknown> {
  return {
    status: run.status,
    stepId: run.stepId ?? null,
    version: run.version,
    state: stateColumn(run),
    answer: run.answer ?? null,
    // Its row has the key as its tenant's, from the beginning to the end.
    ...(isEnd(run.status) && { runKey: null }),
    attempts: run.attempts,
    dueAt: run.dueAt ?? null,
    leaseUntil: null,
    leaseOwner: run.leaseOwner ?? null,
    lastError: run.lastError ?? null,
    result: run.result ?? null,
    expiresAt: run.expiresAt ?? null,
    waitsFor: run.waitsFor ?? null,
    activeMs: run.activeMs,
    completedAt: run.completedAt ?? null,
    updatedAt: run.updatedAt,
    lastUpdatedBy: run.lastUpdatedBy ?? null,
    flowId: run.flowId,
    schemaId: run.schemaId,
    input: run.input ?? null,
    correlationId: run.correlationId ?? null,
    metadata: run.metadata ?? null,
    claimSeq: run.claimSeq,
    signalSeq: run.signalSeq,
    startedAt: run.startedAt,
    startedBy: run.startedBy ?? null,
    lastStartedAt: run.lastStartedAt ?? null,
    createdAt: run.createdAt,
    createdBy: run.createdBy ?? null,
  }
}

/** The workflow has a column of its own. The context is last: what is behind a change is not written anew. */
function stateColumn({ state }: WfStoredRun): JsonText {
  const { indexes, meta } = state
  const rest = JSON.stringify(meta ? { indexes, meta } : { indexes })
  return new JsonText(`${rest.slice(0, -1)},"context":${contextInJson(state)}}`)
}

/** A run out of its row. */
export function runOf({ commitId: _commit, ...row }: Row): WfStoredRun {
  const { state, ...run } = valuesOf(row) as unknown as WfStoredRun
  const { context, indexes, meta } = state
  const { schemaId, runKey } = run
  const key = runKey === undefined ? {} : { runKey: keyWithoutScope(runKey) }
  return { ...run, ...key, state: { schemaId, indexes, context, ...(meta && { meta }) } }
}

export function linkOf(row: Row): WfRunLink {
  const { opens, ...link } = valuesOf(row)
  return (opens ? { ...link, opens } : link) as unknown as WfRunLink
}

export const messageOf = (row: Row): WfRunMessage => valuesOf(row) as unknown as WfRunMessage

/** Null is how a table says that there is none. */
export function valuesOf(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

/** Which columns a table must have, to be one of runs, of events, of links or of messages. */
export function hasColumns(table: WfTable | undefined, columns: readonly string[]): boolean {
  const props = table?.type?.type?.props
  return columns.every(column => props?.has(column))
}
