import type { WfRunEvent } from '../../state'
import { type Row, valuesOf } from './run-row'

/**
 * The rows of events. A step that was started and completed is one row, with the number of its end and
 * the time of its start: it is what most rows are.
 */
export function eventRowsOf(events: readonly WfRunEvent[]): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < events.length; at++) {
    const event = events[at]!
    const next = events[at + 1]
    if (next && isStartOf(event, next)) {
      rows.push(rowOf(next, event.at))
      at++
    } else {
      rows.push(rowOf(event, undefined))
    }
  }
  return rows
}

// Written out: a spread would make a hidden class for each row.
function rowOf(event: WfRunEvent, startedAt: number | undefined): Row {
  const { flowId, seq, schemaId, type, stepId, at, actor, detail } = event
  return { flowId, seq, schemaId, type, stepId, at, startedAt, actor, detail }
}

/** Whether two events are a step's start, which says nothing more, and its end. */
function isStartOf(event: WfRunEvent, next: WfRunEvent): boolean {
  return (
    event.type === 'step_started' &&
    next.type === 'step_completed' &&
    event.stepId === next.stepId &&
    event.actor === next.actor &&
    next.seq === event.seq + 1 &&
    Object.keys(event.detail).length === 0
  )
}

/** The events of a row. */
export function eventsOf({ commitId: _commit, ...row }: Row): WfRunEvent[] {
  const { startedAt, ...event } = valuesOf(row) as unknown as WfRunEvent & { startedAt?: number }
  if (startedAt === undefined) return [event]
  const started = { ...event, seq: event.seq - 1, type: 'step_started', at: startedAt, detail: {} }
  return [started as WfRunEvent, event]
}
