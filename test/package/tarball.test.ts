import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFile } from '../support/project'
import { installTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

interface Manifest {
  readonly devDependencies: { readonly vitest: string }
  readonly exports: Record<string, unknown>
}

const {
  exports: subpaths,
  devDependencies: { vitest },
} = JSON.parse(readFile('package.json').text) as Manifest
// What is for atscript is tested with it, in schemas.test.ts; all else must do without.
const modules = Object.keys(subpaths).filter(
  subpath => subpath !== './package.json' && !/^\.\/plugin$|\.as$/u.test(subpath),
)

describe('the packed tarball, installed in a project of its own', () => {
  const project = new TempProject()
  const node = (script: string) => project.run('node', '--input-type=module', '-e', script)

  beforeAll(() => installTarball(project, `vitest@${vitest}`), 180_000)

  afterAll(() => project.remove())

  it.each(modules)('resolves %s', subpath => {
    const specifier = subpath.replace(/^\./u, '@atscript/moost-wf')
    // Suites are made to be loaded by vitest; that they resolve is all that can be asked of Node.
    const script =
      subpath === './testing'
        ? `console.log(import.meta.resolve('${specifier}').length)`
        : `console.log(Object.keys(await import('${specifier}')).length)`
    expect(Number(node(script).output)).toBeGreaterThan(0)
  })

  it('shows nothing that is not exported', () => {
    const script = `await import('@atscript/moost-wf/dist/index.mjs')`
    expect(node(script).output).toMatch(/ERR_PACKAGE_PATH_NOT_EXPORTED/u)
  })

  /** What opening a database comes to. */
  const tryToOpen = (engine: string, open: string) =>
    node(`
      const { ${open.split('(')[0]} } = await import('@atscript/moost-wf/db/${engine}')
      try { await (${open}).close(); console.log('It is open.') }
      catch (error) { console.log(error.code, error.message) }`).output

  it.each([
    ['postgres', `openPostgres('postgres://localhost/app')`, 'pg'],
    ['mysql', `openMysql('mysql://localhost/app')`, 'mysql2'],
  ])('says which driver to install for %s', (engine, open, driver) => {
    expect(tryToOpen(engine, open)).toMatch(new RegExp(`^WF_CONFIG .*npm install ${driver}`, 'u'))
  })

  it('opens SQLite from Node 22.16 on, and says before which driver to install', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const hasSqlite = major > 22 || (major === 22 && minor >= 16)
    expect(tryToOpen('sqlite', `openSqlite('app.db')`)).toMatch(
      hasSqlite ? 'It is open.' : /^WF_CONFIG .*npm install @photostructure\/sqlite/u,
    )
  })
})
