import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFile, root } from '../support/project'

interface Manifest {
  readonly devDependencies: { readonly vitest: string }
  readonly exports: Record<string, unknown>
}

const {
  exports: subpaths,
  devDependencies: { vitest },
} = JSON.parse(readFile('package.json').text) as Manifest
const modules = Object.keys(subpaths).filter(subpath => subpath !== './package.json')

const project = mkdtempSync(join(tmpdir(), 'moost-wf-tarball-'))
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

describe('the packed tarball, installed in a project of its own', () => {
  beforeAll(() => {
    const tarball = run(root, 'npm', 'pack', '--silent', '--pack-destination', project).trim()
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    run(
      project,
      'npm',
      'install',
      '--prefer-offline',
      '--no-audit',
      `./${tarball}`,
      `vitest@${vitest}`,
    )
  }, 180_000)

  afterAll(() => rmSync(project, { recursive: true, force: true }))

  it.each(modules)('resolves %s', subpath => {
    const specifier = subpath.replace(/^\./u, '@atscript/moost-wf')
    // Suites are made to be loaded by vitest; that they resolve is all that can be asked of Node.
    const script =
      subpath === './testing'
        ? `console.log(import.meta.resolve('${specifier}').length)`
        : `console.log(Object.keys(await import('${specifier}')).length)`
    const found = Number(run(project, 'node', '--input-type=module', '-e', script))
    expect(found).toBeGreaterThan(0)
  })

  it('shows nothing that is not exported', () => {
    const script = `await import('@atscript/moost-wf/dist/index.mjs')`
    expect(() => run(project, 'node', '--input-type=module', '-e', script)).toThrow(
      /ERR_PACKAGE_PATH_NOT_EXPORTED/u,
    )
  })
})
