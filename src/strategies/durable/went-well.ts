/** A step is behind the run: what it has failed at does not count any more. */
export const WENT_WELL = { attempts: 0, lastError: null } as const
