// Expenses that were decided or withdrawn. Those that wait are durable runs.
@db.table 'expenses'
export interface ExpenseRow {
    @meta.id
    id: string

    @db.index.plain 'applicant_idx'
    applicant: string

    amount: number

    // Expenses of before have none.
    currency?: string

    reason: string
    status: 'approved' | 'rejected' | 'withdrawn'

    // Who said what, and when.
    @db.json
    history: unknown

    submittedAt: number.timestamp

    @db.index.plain 'decided_idx'
    decidedAt: number.timestamp
}
