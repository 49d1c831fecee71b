import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'

@db.table 'wf_ledger'
export interface WfLedgerRow extends AsWfLedgerRecord {}
