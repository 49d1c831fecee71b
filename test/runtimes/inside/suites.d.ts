// The bundle puts in its place the list of scripts/runtimes/suites.mjs, or another one.

/** What can be run, by name. */
export declare const SUITES: Readonly<Record<string, () => Promise<unknown>>>
