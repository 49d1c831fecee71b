import {
  AsWfEventRecord,
  AsWfLinkRecord,
  AsWfRunRecord,
} from '../../../schemas/AsWfRunRecords.as.js'

/** Rows as an application would extend them, without columns of its own. */
const table = (name, { type }) => ({ type, metadata: new Map([['db.table', name]]) })

export const WfRunRow = table('wf_runs', AsWfRunRecord)
export const WfEventRow = table('wf_run_events', AsWfEventRecord)
export const WfLinkRow = table('wf_run_links', AsWfLinkRecord)
