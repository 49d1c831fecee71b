const KEY = /^[\p{L}\p{N}_$-]+$/u
const INDEX = /^\d+$/u
// What every object has; a context that came from a client must not be asked for it.
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

/** Says why a path cannot be followed into a context, and what to write instead. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return `the path is empty: write keys of the context joined by dots, ${EXAMPLE}`
  const keys = path.split('.')
  const inherited = keys.find(key => INHERITED.has(key))
  if (inherited) {
    return `'${inherited}' is never read from a context: rename the key and write its new name, ${EXAMPLE}`
  }
  if (keys.some(key => INDEX.test(key))) {
    return `'${path}' goes into an array: keep the value under a key of its own and write that, ${EXAMPLE}`
  }
  if (!keys.every(key => KEY.test(key))) {
    return `'${path}' is not in dot-notation: write keys joined by single dots, ${EXAMPLE}; no brackets, wildcards or spaces`
  }
  return undefined
}

const EXAMPLE = `such as 'invite.email'`
