const D1 =
  'Open D1 by openD1(env.DB) of @atscript/moost-wf/db/d1, or a server by @atscript/moost-wf/db/postgres or @atscript/moost-wf/db/mysql.'

/** What no Worker can run, and what to do instead. */
const NATIVE: Readonly<Record<string, string>> = {
  'better-sqlite3': D1,
  '@photostructure/sqlite': D1,
  'node:sqlite': D1,
  'bun:sqlite': D1,
  sqlite3: D1,
  libsql: D1,
  '@atscript/moost-wf/db/sqlite': D1,
  'pg-native': 'The package pg does without it.',
}

/** Why a module cannot be a part of a Worker; `undefined` if it can, as far as its name tells. */
export function whyRejected(specifier: string): string | undefined {
  const name = Object.keys(NATIVE).find(one => specifier === one || specifier.startsWith(`${one}/`))
  if (name) return `"${name}" is native code, which a Worker cannot run. ${NATIVE[name]}`
  return specifier.endsWith('.node')
    ? 'A .node file is native code, which a Worker cannot run. Find out by the importer which package brings it, and leave that out.'
    : undefined
}
