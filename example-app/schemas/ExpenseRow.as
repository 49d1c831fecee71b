// Expenses that were decided. Those that wait are workflows.
@db.table 'expenses'
export interface ExpenseRow {
    @meta.id
    id: string

    @db.index.plain 'applicant_idx'
    applicant: string

    amount: number
    reason: string
    status: 'approved' | 'rejected'

    // Who said what, and when.
    @db.json
    history: unknown

    submittedAt: number.timestamp

    @db.index.plain 'decided_idx'
    decidedAt: number.timestamp
}
