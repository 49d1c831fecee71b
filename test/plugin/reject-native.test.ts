import { join } from 'node:path'
import { rejectNative } from '@atscript/moost-wf/plugin/reject-native'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { build as vite } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { TempProject } from '../support/temp-project'

const project = new TempProject()
afterAll(() => project.remove())

let files = 0

/** A Worker that imports something by way of another file of its own. */
function workerWith(statement: string): string {
  const name = `worker-${++files}`
  project.write({
    [`${name}.js`]: `export { used } from './${name}-store.js'`,
    [`${name}-store.js`]: statement,
  })
  return join(project.folder, `${name}.js`)
}

/** Whether what cannot be found is an error is the bundlers' own affair. */
const KNOWN = ['pg', 'mysql2', '@atscript/moost-wf/db/d1', '@atscript/moost-wf/db', 'node:crypto']

type Build = (input: string, external: string[]) => Promise<unknown>

const BUNDLERS: Record<string, Build> = {
  esbuild: (input, external) =>
    esbuild({
      entryPoints: [input],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      external,
      plugins: [rejectNative.esbuild()],
    }),
  rolldown: async (input, external) => {
    const bundle = await rolldown({
      input,
      external,
      platform: 'node',
      logLevel: 'silent',
      plugins: [rejectNative.rolldown()],
    })
    return bundle.generate({ format: 'esm' })
  },
  vite: (input, external) =>
    vite({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      build: { ssr: input, write: false, rolldownOptions: { external } },
      plugins: [rejectNative.vite()],
    }),
}

describe.each(Object.entries(BUNDLERS))('a build of a Worker by %s', (_name, build) => {
  it.each([
    [
      'better-sqlite3',
      `import Database from 'better-sqlite3'\nexport const used = new Database('')`,
    ],
    ['@photostructure/sqlite', `export * as used from '@photostructure/sqlite'`],
    ['node:sqlite', `export const used = import('node:sqlite')`],
    [
      '@atscript/moost-wf/db/sqlite',
      `export { openSqlite as used } from '@atscript/moost-wf/db/sqlite'`,
    ],
    ['better-sqlite3', `export { x as used } from 'better-sqlite3/lib/database.js'`],
  ])('fails for %s, and says what to import instead', async (name, statement) => {
    const failure = await build(workerWith(statement), KNOWN).catch((error: Error) => error.message)
    expect(failure).toContain(`"${name}" is native code, which a Worker cannot run.`)
    expect(failure).toContain('openD1(env.DB) of @atscript/moost-wf/db/d1')
  })

  it('fails for what is native and left out of the bundle', async () => {
    const input = workerWith(`export { default as used } from 'better-sqlite3'`)
    const failure = await build(input, ['better-sqlite3']).catch((error: Error) => error.message)
    expect(failure).toContain('"better-sqlite3" is native code')
  })

  it('fails for an addon, whichever package brings it', async () => {
    const input = workerWith(`export { default as used } from './build/Release/addon.node'`)
    const failure = await build(input, []).catch((error: Error) => error.message)
    expect(failure).toContain('A .node file is native code')
  })

  it('lets pass what speaks to a server by a socket, and D1', async () => {
    const imports = KNOWN.map((name, n) => `import * as m${n} from '${name}'`)
    const used = `export const used = [${KNOWN.map((_, n) => `m${n}`).join()}]`
    await expect(build(workerWith([...imports, used].join('\n')), KNOWN)).resolves.toBeTruthy()
  })
})
