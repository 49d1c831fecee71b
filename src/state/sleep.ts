/** Waits. `node:timers/promises` has the same, where there is Node. */
export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
