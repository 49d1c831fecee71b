const REACHING: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a key would reach a prototype if somebody merged the object that has it. */
export function reachesPrototype(key: string): boolean {
  return REACHING.has(key)
}
