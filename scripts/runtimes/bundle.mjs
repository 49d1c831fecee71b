// Bundles suites for a kind of runtime: the same files, with something else in place of what is special there.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules, isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import atscript from 'unplugin-atscript'
import { SUITES } from './suites.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const inside = join(root, 'test/runtimes/inside')

/** Folders that share more with one another than they publish. */
const FACES = new Set(['http', 'run', 'strategies', 'trigger'])
const SCHEMAS = { store: 'AsWfStateRecord', ledger: 'AsWfLedgerRecord', runs: 'AsWfRunRecords' }

function resolveOurs(specifier) {
  const [whole, subpath] = /^@atscript\/moost-wf(?:\/(.+))?$/u.exec(specifier) ?? []
  if (!whole) return null
  if (!subpath) return join(root, 'src/index.ts')
  const [, schema] = /^(\w+)\.as(?:\.as)?$/u.exec(subpath) ?? []
  if (schema) return join(root, `schemas/${SCHEMAS[schema]}.as`)
  return join(root, 'src', subpath, FACES.has(subpath) ? 'public.ts' : 'index.ts')
}

const ours = {
  name: 'ours',
  resolveId(specifier, importer = '') {
    if (specifier === 'vitest') return join(inside, 'vitest.ts')
    const isOutside = !importer.startsWith(inside)
    if (isOutside && specifier.endsWith('/support/databases')) return join(inside, 'databases.ts')
    return resolveOurs(specifier)
  },
}

/** A module that loads each suite when it is asked for. */
const listOf = suites => ({
  name: 'list of suites',
  resolveId: specifier => (specifier === './suites' ? '\0suites' : null),
  load(id) {
    if (id !== '\0suites') return null
    const entries = suites.map(
      ({ name, file }) =>
        `${JSON.stringify(name)}: () => import(${JSON.stringify(join(root, file))})`,
    )
    return `export const SUITES = {${entries.join(',')}}`
  },
})

/** What pg tries to load is not there. */
const withoutPgNative = {
  name: 'without pg-native',
  resolveId: specifier => (specifier === 'pg-native' ? '\0pg-native' : null),
  load: id => (id === '\0pg-native' ? 'export default undefined' : null),
}

const KINDS = {
  // Drivers are loaded from where they are installed, as applications do.
  process: { external: specifier => isBuiltin(specifier) || specifier === 'pg' },
  worker: {
    resolve: { conditionNames: ['workerd', 'worker'] },
    plugins: [
      withoutPgNative,
      esmExternalRequirePlugin({ external: [/^node:/u, /^cloudflare:/u, ...builtinModules] }),
    ],
  },
}

const made = new Map()

/**
 * Bundles once, however many runtimes use it, for as long as this process lives.
 *
 * @returns the path of the module that starts it
 */
export function bundleFor(kind, { suites = SUITES } = {}) {
  const key = JSON.stringify([kind, suites])
  if (!made.has(key)) made.set(key, bundle(kind, suites))
  return made.get(key)
}

async function bundle(kind, suites) {
  const { plugins = [], ...options } = KINDS[kind]
  const built = await rolldown({
    input: join(inside, `${kind}.entry.ts`),
    platform: 'node',
    transform: { target: 'es2022' },
    plugins: [listOf(suites), ours, atscript.rolldown(), ...plugins],
    ...options,
  })
  const bundles = join(root, 'node_modules/.cache/moost-wf/runtimes')
  mkdirSync(bundles, { recursive: true })
  const dir = mkdtempSync(join(bundles, `${kind}-`))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  await built.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  return join(dir, `${kind}.entry.mjs`)
}

/** The modules of a bundle as workerd wants them: the one that starts it first. */
export function modulesOf(entry) {
  const names = new Set([basename(entry), ...readdirSync(dirname(entry))])
  return [...names].map(path => ({
    type: 'ESModule',
    path,
    contents: readFileSync(join(dirname(entry), path), 'utf8'),
  }))
}
