// The published records as the tables of durable runs and of a ledger, for processes that compile no .as file.
import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'
import {
  AsWfEventRecord,
  AsWfLinkRecord,
  AsWfOutboxRecord,
  AsWfRunRecord,
  AsWfSignalRecord,
} from '@atscript/moost-wf/runs.as'

const table = ({ type, metadata }, name) => ({
  type,
  metadata: new Map([...metadata, ['db.table', name]]),
})

export const RunType = table(AsWfRunRecord, 'wf_runs')
export const EventType = table(AsWfEventRecord, 'wf_run_events')
export const LinkType = table(AsWfLinkRecord, 'wf_run_links')
export const OutboxType = table(AsWfOutboxRecord, 'wf_run_outbox')
export const LedgerType = table(AsWfLedgerRecord, 'wf_ledger')
export const SignalType = table(AsWfSignalRecord, 'wf_run_signals')
