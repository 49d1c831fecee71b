import { AsWfEventRecord, AsWfLinkRecord, AsWfOutboxRecord, AsWfRunRecord } from '@atscript/moost-wf/runs.as'

// Runs that wait, that are worked on, and that have ended.
@db.table 'wf_runs'
export interface WfRunRow extends AsWfRunRecord {
    @meta.label 'Invited'
    @wf.store.fromContext 'invite.email'
    @db.index.plain 'invite_email_idx'
    inviteEmail?: string

    @meta.label 'Role'
    @wf.store.fromContext 'invite.role'
    @db.index.plain 'invite_role_idx'
    inviteRole?: string

    @meta.label 'Expense'
    @ui.table.hidden
    @wf.store.fromContext 'id'
    @db.index.plain 'expense_idx'
    expenseId?: string

    @meta.label 'Amount'
    @ui.table.hidden
    @wf.store.fromContext 'amount'
    amount?: number

    @meta.label 'Currency'
    @ui.table.hidden
    @wf.store.fromContext 'currency'
    currency?: string

    @meta.label 'Applicant'
    @wf.store.fromContext 'applicant'
    @db.index.plain 'applicant_idx'
    applicant?: string

    @meta.label 'Asked'
    @ui.table.hidden
    @wf.store.fromContext 'asking'
    asking?: string
}

@db.table 'wf_run_events'
export interface WfEventRow extends AsWfEventRecord {}

@db.table 'wf_run_links'
export interface WfLinkRow extends AsWfLinkRecord {}

// Mails that wait until the mail server takes them.
@db.table 'wf_run_outbox'
export interface WfOutboxRow extends AsWfOutboxRecord {}
