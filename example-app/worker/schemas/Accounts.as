@db.table 'users'
export interface UserRow {
    @meta.id
    @db.default.uuid
    id: string

    // In lower case.
    @db.index.unique 'email_idx'
    email: string

    name: string

    @db.index.plain 'role_idx'
    role: 'admin' | 'manager' | 'member'

    passwordHash: string

    // A demo account, whose password everybody knows.
    isDemo: boolean

    @db.default.now
    createdAt: number.timestamp
}

@db.table 'sessions'
export interface SessionRow {
    // SHA-256 of what the cookie holds.
    @meta.id
    id: string

    userId: string

    @db.index.plain 'expires_idx'
    expiresAt: number.timestamp
}
