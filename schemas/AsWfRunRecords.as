// The columns of durable runs. Your rows extend these with a `@db.table` each; that of runs may have shadow columns.
// Types are written out, not named: the JavaScript of a row would import a named one by a path into node_modules.

// A run: where it stands by its last commit, and who works on it.
@meta.label 'Workflow run'
export interface AsWfRunRecord {
    @meta.label 'Flow'
    @meta.id
    flowId: string

    @meta.label 'Workflow'
    @db.index.plain 'schema_idx'
    schemaId: string

    // By the last commit. Whether someone works on it is what the lease says.
    @meta.label 'Status'
    @db.index.plain 'status_started_idx'
    status: 'created' | 'active' | 'paused' | 'error' | 'completed' | 'failed' | 'cancelled'

    @meta.label 'Step'
    stepId?: string

    // The number of the last event.
    @meta.label 'Version'
    version: number.int

    // What it was started with, sealed.
    @meta.label 'Input'
    @ui.table.hidden
    input?: string

    // What was answered, and who has asked, sealed, as long as a claim may need it.
    @meta.label 'Answer'
    @ui.table.hidden
    answer?: string

    // One run at a time has it, until that ends.
    @meta.label 'Run key'
    @db.index.unique 'run_key_idx'
    runKey?: string

    @meta.label 'Correlation'
    @db.index.sparse 'correlation_idx'
    correlationId?: string

    @meta.label 'Metadata'
    @ui.table.hidden
    @db.json
    metadata?: {
        [/^/]: unknown
    }

    // How often the step at which it stands has failed, or has lost its process.
    @meta.label 'Attempts'
    @db.default '0'
    attempts: number.int

    // The next moment at which somebody must look.
    @meta.label 'Due'
    @db.index.sparse 'due_idx'
    dueAt?: number.timestamp

    // By the clock of the database.
    @meta.label 'Leased until'
    leaseUntil?: number.timestamp

    @meta.label 'Lease of'
    @ui.table.hidden
    leaseOwner?: string

    // How often it was claimed.
    @meta.label 'Claims'
    @db.default '0'
    claimSeq: number.int

    // When the last of the links of its pause expires.
    @meta.label 'Expires'
    expiresAt?: number.timestamp

    // The name of the signal that it waits for.
    @meta.label 'Waits for'
    waitsFor?: string

    // How many signals it has got.
    @meta.label 'Signals'
    @db.default '0'
    signalSeq: number.int

    // The commit that has written the row last.
    @meta.label 'Commit'
    @ui.table.hidden
    commitId?: string

    // What went wrong last: codes, never messages.
    @meta.label 'Last error'
    @ui.table.hidden
    @db.json
    lastError?: {
        [/^/]: unknown
    }

    @meta.label 'Result'
    @ui.table.hidden
    @db.json
    result?: {
        [/^/]: unknown
    }

    @meta.label 'Started'
    @db.index.plain 'started_idx'
    @db.index.plain 'status_started_idx'
    startedAt: number.timestamp

    @meta.label 'Started by'
    startedBy?: string

    @meta.label 'Last claimed'
    lastStartedAt?: number.timestamp

    // For how long steps have run, in milliseconds.
    @meta.label 'Time at work'
    @db.default '0'
    activeMs: number.int

    @meta.label 'Ended'
    @db.index.sparse 'completed_idx'
    completedAt?: number.timestamp

    @meta.label 'Updated'
    @db.default.now
    updatedAt: number.timestamp

    @meta.label 'Created'
    @db.default.now
    createdAt: number.timestamp

    @meta.label 'Created by'
    createdBy?: string

    @meta.label 'Last updated by'
    lastUpdatedBy?: string

    // Last, and in it the context: PostgreSQL writes down what lies between the first and the last byte that
    // has changed, and most of a context stays what it is.
    @meta.label 'State'
    @ui.table.hidden
    @db.json
    state: {
        // Whatever JSON the steps make it: null, a text and a list too.
        context: unknown
        indexes: number[]
        meta?: {
            // `[*]` would leave out the empty key.
            [/^/]: unknown
        }
    }
}

// What has happened to a run. The table only grows.
@meta.label 'Workflow event'
export interface AsWfEventRecord {
    @meta.label 'Flow'
    @meta.id
    flowId: string

    @meta.label 'Number'
    @meta.id
    seq: number.int

    @meta.label 'Workflow'
    schemaId: string

    @meta.label 'Type'
    type: string

    @meta.label 'Step'
    stepId?: string

    @meta.label 'At'
    at: number.timestamp

    // Of a completed step: when it was started. That event has the number before, and no row of its own.
    @meta.label 'Started'
    startedAt?: number.timestamp

    @meta.label 'Actor'
    actor?: string

    // A change of status as `from` and `to`, a change of the context by its keys. What looks secret is a digest.
    @meta.label 'Detail'
    @ui.table.hidden
    @db.json
    detail: {
        [/^/]: unknown
    }

    // The commit that it came with.
    @meta.label 'Commit'
    @ui.table.hidden
    commitId?: string
}

// The right to answer at one pause. A link is known by its hash alone.
@meta.label 'Workflow link'
export interface AsWfLinkRecord {
    // SHA-256 of the handle.
    @meta.label 'Hash'
    @meta.id
    hash: string

    @meta.label 'Flow'
    @db.index.plain 'flow_idx'
    flowId: string

    // The number of the event with which the pause began.
    @meta.label 'Pause'
    pause: number.int

    @meta.label 'Recipient'
    recipient?: string

    @meta.label 'Audience'
    audience: 'caller' | 'out-of-band'

    // Whose part it answers, where several people are asked.
    @meta.label 'Part'
    seat?: string

    @meta.label 'Expires'
    @db.index.plain 'expires_idx'
    expiresAt?: number.timestamp

    // How often it was shown: by people, and by scanners of mails.
    @meta.label 'Opened'
    @db.default '0'
    opens: number.int

    @meta.label 'Opened last'
    openedAt?: number.timestamp

    @meta.label 'Created'
    @db.default.now
    createdAt: number.timestamp
}

// A message that announces a pause: written with it, and sent until somebody has taken it.
@meta.label 'Workflow message'
export interface AsWfOutboxRecord {
    // The same for every attempt to deliver it.
    @meta.label 'Message'
    @meta.id
    messageId: string

    @meta.label 'Flow'
    @db.index.plain 'flow_idx'
    flowId: string

    // The number of the event with which the pause began.
    @meta.label 'Pause'
    pause: number.int

    @meta.label 'Outlet'
    outlet: string

    @meta.label 'Recipient'
    recipient?: string

    // What it says, sealed, and what its link is made from.
    @meta.label 'Content'
    @ui.table.hidden
    content: string

    @meta.label 'Status'
    status: 'waiting' | 'sent' | 'undelivered' | 'dropped'

    @meta.label 'Attempts'
    @db.default '0'
    attempts: number.int

    // The next moment at which somebody must look, by the clock of the database. Whoever sends it puts it off.
    @meta.label 'Due'
    @db.index.plain 'due_idx'
    dueAt?: number.timestamp

    // How often it was taken to be sent.
    @meta.label 'Claims'
    @db.default '0'
    claimSeq: number.int

    // What went wrong last: codes, never messages.
    @meta.label 'Last error'
    @ui.table.hidden
    @db.json
    lastError?: {
        [/^/]: unknown
    }

    // When it was to be sent: at first, or anew.
    @meta.label 'Queued'
    queuedAt: number.timestamp

    @meta.label 'Settled'
    settledAt?: number.timestamp

    @meta.label 'Created'
    @db.default.now
    createdAt: number.timestamp
}

// What a machine has told a run, until the run has taken it.
@meta.label 'Workflow signal'
export interface AsWfSignalRecord {
    @meta.id
    @ui.table.hidden
    @db.default.uuid
    id: string

    @meta.label 'Flow'
    @db.index.unique 'seq_idx'
    flowId: string

    // In which order it came.
    @meta.label 'Number'
    @db.index.unique 'seq_idx'
    seq: number.int

    @meta.label 'Name'
    name: string

    // JSON, sealed where there is a secret.
    @meta.label 'Payload'
    @ui.table.hidden
    payload: string

    @meta.label 'Sent by'
    sentBy?: string

    @meta.label 'Created'
    @db.default.now
    createdAt: number.timestamp

    // The commit that it came with.
    @meta.label 'Commit'
    @ui.table.hidden
    commitId?: string
}
