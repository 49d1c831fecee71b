import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'
import { AsWfEventRecord, AsWfLinkRecord, AsWfOutboxRecord, AsWfRunRecord } from '@atscript/moost-wf/runs.as'

// Invitations, approvals and news that wait, are worked on, or have ended.
@db.table 'wf_runs'
export interface WfRunRow extends AsWfRunRecord {
    @meta.label 'Invited'
    @wf.store.fromContext 'invite.email'
    @db.index.plain 'invite_email_idx'
    inviteEmail?: string

    @meta.label 'Applicant'
    @wf.store.fromContext 'applicant'
    @db.index.plain 'applicant_idx'
    applicant?: string
}

@db.table 'wf_run_events'
export interface WfEventRow extends AsWfEventRecord {}

@db.table 'wf_run_links'
export interface WfLinkRow extends AsWfLinkRecord {}

// Mails that wait until the provider takes them.
@db.table 'wf_run_outbox'
export interface WfOutboxRow extends AsWfOutboxRecord {}

// Tries at passwords, and answers to requests that may be sent again.
@db.table 'wf_ledger'
export interface WfLedgerRow extends AsWfLedgerRecord {}
