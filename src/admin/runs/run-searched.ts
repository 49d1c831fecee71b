/** Columns beside the shadow columns that a search of runs looks at. */
export const SEARCHED = ['schemaId', 'flowId', 'startedBy', 'correlationId']
