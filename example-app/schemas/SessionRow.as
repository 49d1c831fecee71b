@db.table 'sessions'
export interface SessionRow {
    // SHA-256 of what the cookie holds.
    @meta.id
    id: string

    @db.index.plain 'user_idx'
    userId: string

    @db.index.plain 'expires_idx'
    expiresAt: number.timestamp

    @db.default.now
    createdAt: number.timestamp
}
