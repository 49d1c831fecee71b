@db.table 'recovery_codes'
export interface RecoveryCodeRow {
    // SHA-256 of the account and the code.
    @meta.id
    id: string

    @db.index.plain 'user_idx'
    userId: string
}
