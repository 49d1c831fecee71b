import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { readFiles, root } from '../support/project'

/** Subpaths that must run where there is no Node: no builtin, no addon, no framework. */
const PORTABLE = ['strategies', 'store', 'db', 'client']
const SCHEMAS = readFiles('schemas', '.as').map(({ path }) => `${path}.js`)
const FRAMEWORK = /^(moost|wooks|@wooksjs\/|@prostojs\/)/u

async function importsOf(file: string): Promise<string[]> {
  const bundle = await rolldown({
    input: join(root, file),
    external: specifier => isBuiltin(specifier) || FRAMEWORK.test(specifier),
    platform: 'neutral',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  return output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.imports : []))
}

describe('bundled alone', () => {
  it.each(PORTABLE)('./%s imports nothing that a Worker lacks', async subpath => {
    expect(await importsOf(`src/${subpath}/index.ts`)).toEqual([])
  })

  it.each(SCHEMAS)('%s imports nothing that a Worker lacks', async file => {
    expect(await importsOf(file)).toEqual([])
  })

  it('./moost is seen to import Node and the framework, so the check can fail', async () => {
    const imports = await importsOf('src/moost/index.ts')
    expect(imports.some(specifier => isBuiltin(specifier))).toBe(true)
    expect(imports).toContain('moost')
  })
})
