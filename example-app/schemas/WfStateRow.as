import { AsWfStateRecord } from '@atscript/moost-wf/store.as'

// One table for every workflow that is kept in the database: its shadow columns are those of all of them.
@db.table 'wf_states'
export interface WfStateRow extends AsWfStateRecord {
    @meta.id
    @ui.table.hidden
    @db.default.uuid
    id: string

    @meta.label 'Invited'
    @wf.store.fromContext 'invite.email'
    @db.index.plain 'invite_email_idx'
    inviteEmail?: string

    @meta.label 'Role'
    @wf.store.fromContext 'invite.role'
    @db.index.plain 'invite_role_idx'
    inviteRole?: string

    @meta.label 'Amount'
    @wf.store.fromContext 'amount'
    amount?: number

    @meta.label 'Applicant'
    @wf.store.fromContext 'applicant'
    @db.index.plain 'applicant_idx'
    applicant?: string

    @meta.label 'Approver'
    @wf.store.fromContext 'approver'
    @db.index.plain 'approver_idx'
    approver?: string
}
