// The columns of a stored workflow state. Your row extends it with a `@db.table`, a `@meta.id` and shadow columns.
// Types are written out, not named: the JavaScript of a row would import a named one by a path into node_modules.
@meta.label 'Workflow state'
export interface AsWfStateRecord {
    @meta.label 'Handle'
    @db.index.unique 'handle_idx'
    handle: string

    @meta.label 'Workflow'
    @db.index.plain 'schema_idx'
    schemaId: string

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

    @meta.label 'Version'
    @db.default '1'
    version: number.int

    @meta.label 'Expires'
    @db.index.plain 'expires_idx'
    expiresAt?: number.timestamp

    @meta.label 'Updated'
    @db.index.plain 'updated_idx'
    @db.default.now
    updatedAt: number.timestamp

    @meta.label 'Created'
    @db.default.now
    createdAt: number.timestamp

    @meta.label 'Created by'
    createdBy?: string

    @meta.label 'Last updated by'
    lastUpdatedBy?: string

    @meta.label 'Flow'
    @db.index.plain 'flow_idx'
    flowId?: string

    @meta.label 'Started'
    startedAt?: number.timestamp

    @meta.label 'Started by'
    startedBy?: string
}
