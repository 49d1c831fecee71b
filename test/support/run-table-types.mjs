// The published records as the tables of durable runs, for processes that compile no .as file.
import {
  AsWfEventRecord,
  AsWfLinkRecord,
  AsWfOutboxRecord,
  AsWfRunRecord,
} from '@atscript/moost-wf/runs.as'

const table = ({ type, metadata }, name) => ({
  type,
  metadata: new Map([...metadata, ['db.table', name]]),
})

export const RunType = table(AsWfRunRecord, 'wf_runs')
export const EventType = table(AsWfEventRecord, 'wf_run_events')
export const LinkType = table(AsWfLinkRecord, 'wf_run_links')
export const OutboxType = table(AsWfOutboxRecord, 'wf_run_outbox')
