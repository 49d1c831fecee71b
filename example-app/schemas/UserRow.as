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

    // Base32. Accounts without one sign in with the password alone.
    totpSecret?: string

    // A demo account, whose password everybody knows.
    isDemo: boolean

    @db.default.now
    createdAt: number.timestamp
}
