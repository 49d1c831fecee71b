// The tables of durable runs, as .as files that extend the published records would have them.
import { AsWfEventRecord, AsWfLinkRecord, AsWfRunRecord } from '@atscript/moost-wf/runs.as'

const table = (name, { type }) => ({ type, metadata: new Map([['db.table', name]]) })

export const RunType = table('wf_runs', AsWfRunRecord)
export const EventType = table('wf_run_events', AsWfEventRecord)
export const LinkType = table('wf_run_links', AsWfLinkRecord)
