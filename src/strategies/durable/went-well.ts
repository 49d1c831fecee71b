/** A step is behind the run: what it has failed at does not count any more, and it waits for nothing. */
export const WENT_WELL = { attempts: 0, lastError: null, waitsFor: null } as const
