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
    const bundled = suites.filter(({ file }) => file)
    const entries = bundled.map(
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

const FOR_WORKERS = {
  resolve: { conditionNames: ['workerd', 'worker'] },
  plugins: [
    withoutPgNative,
    esmExternalRequirePlugin({ external: [/^node:/u, /^cloudflare:/u, ...builtinModules] }),
  ],
}

const KINDS = {
  // Drivers are loaded from where they are installed, as applications do.
  process: { external: specifier => isBuiltin(specifier) || specifier === 'pg' },
  worker: FOR_WORKERS,
  bare: { resolve: FOR_WORKERS.resolve, platform: 'browser' },
}

/** What needs no more than strategies. */
const BARE = new Set(['tokens'])

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

function bundle(kind, suites) {
  const list = kind === 'bare' ? suites.filter(({ name }) => BARE.has(name)) : suites
  return write(join(inside, `${kind}.entry.ts`), KINDS[kind], [listOf(list)])
}

/** Bundles one file with this text for Workers. */
export function bundleFile(name, text) {
  const id = join(root, name)
  return write(id, FOR_WORKERS, [
    {
      name: 'a text',
      resolveId: specifier => (specifier === id ? id : null),
      load: asked => (asked === id ? text : null),
    },
  ])
}

async function write(input, { plugins = [], ...options }, more) {
  const built = await rolldown({
    input,
    platform: 'node',
    transform: { target: 'es2022' },
    plugins: [...more, ours, atscript.rolldown(), ...plugins],
    ...options,
  })
  const bundles = join(root, 'node_modules/.cache/moost-wf/runtimes')
  mkdirSync(bundles, { recursive: true })
  const dir = mkdtempSync(join(bundles, 'bundle-'))
  removeAtExit(dir)
  await built.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  return join(dir, `${basename(input, '.ts')}.mjs`)
}

export function removeAtExit(folder) {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
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
