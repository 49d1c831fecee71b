// The columns of a ledger: small facts, such as spent tokens and attempt counters. Your row extends it with a `@db.table`.
@meta.label 'Workflow ledger entry'
export interface AsWfLedgerRecord {
    // SHA-256 of the kind and the key: the key itself may name someone.
    @meta.label 'Key'
    @meta.id
    key: string

    @meta.label 'Kind'
    @db.index.plain 'kind_idx'
    kind: string

    @meta.label 'Count'
    count: number.int

    @meta.label 'Data'
    @ui.table.hidden
    data?: string

    @meta.label 'Expires'
    @db.index.plain 'expires_idx'
    expiresAt?: number.timestamp
}
