import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesFrom, externalsOf } from '../support/externals'
import { readFile } from '../support/project'
import { unpackTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'
import { FOR_WORKERS, LISTED_EXTERNALS } from './listed-externals'

const { exports } = JSON.parse(readFile('package.json').text) as {
  exports: Record<string, string | { default: string }>
}
const entries = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === 'string' ? [] : [[subpath, target.default] as const],
)

describe('each subpath of the packed tarball, bundled alone,', () => {
  const project = new TempProject()
  const own = join(project.folder, 'node_modules/@atscript/moost-wf')

  beforeAll(() => unpackTarball(project), 180_000)
  afterAll(() => project.remove())

  const differences = async (folder: string, subpath: string, file: string) =>
    differencesFrom(LISTED_EXTERNALS[subpath], subpath, await externalsOf(folder, file))

  it.each(entries)(
    '%s imports what is listed beside this test, and nothing else',
    async (...one) => {
      expect(await differences(own, ...one)).toEqual([])
    },
  )

  it('is among those that are published', () => {
    const published = new Set(entries.map(([subpath]) => subpath))
    expect(Object.keys(LISTED_EXTERNALS).filter(subpath => !published.has(subpath))).toEqual([])
  })

  it('is found out when the core imports something native, with the way to it', async () => {
    const scratch = join(project.folder, 'node_modules/@atscript/scratch')
    cpSync(own, scratch, { recursive: true })
    const chunk = /from "[./]+(db-space-[\w-]+\.mjs)"/u.exec(
      readFileSync(join(scratch, 'dist/db/d1/index.mjs'), 'utf8'),
    )![1]!
    appendFileSync(join(scratch, 'dist', chunk), `\nimport 'better-sqlite3'\n`)
    const found = await differences(scratch, './db/d1', 'dist/db/d1/index.mjs')
    expect(found).toEqual([
      './db/d1 imports dist/db/d1/index.mjs → dist/db-space.mjs → better-sqlite3, which is not listed',
    ])
    expect(await differences(scratch, './store', 'dist/store/index.mjs')).toEqual([])
  })

  it('is found out when it is new, or needs less than is listed', async () => {
    const file = 'dist/db/d1/index.mjs'
    expect(await differences(own, './db/new', file)).toEqual(['./db/new is not listed'])
    expect(await differences(own, './db/mysql', file)).toEqual([
      './db/mysql does not import node:module any more',
    ])
  })

  it('finds in workerd whatever it needs of Node', async () => {
    const listed = FOR_WORKERS.flatMap(subpath => LISTED_EXTERNALS[subpath]!)
    const names = listed.map(name => name.replace(' (later)', ''))
    const builtins = [...new Set(names.filter(isBuiltin))]
    expect(builtins.length).toBeGreaterThan(8)
    const miniflare = new Miniflare({
      modules: true,
      compatibilityDate: '2026-04-01',
      compatibilityFlags: ['nodejs_compat'],
      script: `
        ${builtins.map((name, n) => `import * as m${n} from '${name}'`).join('\n')}
        const sizes = [${builtins.map((_, n) => `Object.keys(m${n}).length`).join()}]
        export default { fetch: () => Response.json(sizes) }`,
    })
    try {
      const answer = await miniflare.dispatchFetch('http://worker.test')
      expect(((await answer.json()) as number[]).every(size => size > 0)).toBe(true)
    } finally {
      await miniflare.dispose()
    }
  })
})
