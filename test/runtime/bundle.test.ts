import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown, type RolldownPlugin } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { readFiles, root } from '../support/project'

/** Subpaths that must run where there is no Node: no builtin, no addon, no framework. */
const PORTABLE = ['strategies', 'store', 'db', 'client']
const SCHEMAS = readFiles('schemas', '.as').map(({ path }) => `${path}.js`)
const FRAMEWORK = /^(moost|wooks|@wooksjs\/|@prostojs\/)/u

async function bundleOf(file: string, plugins: RolldownPlugin[] = []) {
  const bundle = await rolldown({
    input: join(root, file),
    external: specifier => isBuiltin(specifier) || FRAMEWORK.test(specifier),
    platform: 'neutral',
    plugins,
  })
  return (await bundle.generate({ format: 'esm' })).output
}

async function importsOf(file: string): Promise<string[]> {
  const output = await bundleOf(file)
  const chunks = new Map(
    output.flatMap(file => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  )
  // What is loaded later, when it is asked for, is not needed to start.
  const needed = new Set([output[0].fileName])
  for (const name of needed) for (const one of chunks.get(name)?.imports ?? []) needed.add(one)
  return [...needed].filter(name => !chunks.has(name))
}

describe('bundled alone', () => {
  it.each(PORTABLE)('./%s imports nothing that a Worker lacks', async subpath => {
    expect(await importsOf(`src/${subpath}/index.ts`)).toEqual([])
  })

  it.each(SCHEMAS)('%s imports nothing that a Worker lacks', async file => {
    expect(await importsOf(file)).toEqual([])
  })

  it('./runs imports the framework, which runs its steps, and of Node what runs of any kind need', async () => {
    const imports = await importsOf('src/runs/index.ts')
    // Hashes and seals of requests, made at once: src/run/{browser-mark,watch-token,retry-identity}.
    const builtins = imports.filter(specifier => isBuiltin(specifier))
    // What the framework keeps its events in tells whose step it is as well: src/run/step-place.
    const known = ['node:crypto', 'node:buffer', 'node:async_hooks']
    expect(builtins.filter(name => !known.includes(name))).toEqual([])
    const own = readFiles('src/runs', '.ts').filter(({ text }) => /from 'node:/u.test(text))
    expect(own).toEqual([])
  })

  it('./db brings no driver into an application that opens its database by itself', async () => {
    const load = (id: string) =>
      id.endsWith('application.ts') ? `export { DbSpace } from './src/db/index.ts'` : null
    const resolveId = (id: string) => (id.endsWith('application.ts') ? id : null)
    const output = await bundleOf('application.ts', [{ name: 'application', load, resolveId }])
    expect(output).toHaveLength(1)
    expect((await bundleOf('src/db/index.ts')).length).toBeGreaterThan(3)
  })

  it('takes no timer for an object, which it is on Node alone', () => {
    const own = readFiles('src', '.ts').filter(({ path }) => path !== 'src/state/unref.ts')
    expect(own.filter(({ text }) => text.includes('.unref(')).map(({ path }) => path)).toEqual([])
  })

  it('./moost is seen to import Node and the framework, so the check can fail', async () => {
    const imports = await importsOf('src/moost/index.ts')
    expect(imports.some(specifier => isBuiltin(specifier))).toBe(true)
    expect(imports).toContain('moost')
  })
})
