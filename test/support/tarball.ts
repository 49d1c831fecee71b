import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project'
import type { Outcome, TempProject } from './temp-project'

const NPM_OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund']

/** Packs what is built, and installs it in a project beside other packages. */
export function installTarball(project: TempProject, ...packages: readonly string[]): void {
  project.write({ 'package.json': '{ "private": true, "type": "module" }' })
  const tarball = packTarball(project)
  orThrow(project.run('npm', 'install', ...NPM_OPTIONS, tarball, ...packages))
}

/** Packs what is built, and unpacks it in a project whose other packages are the repository's. */
export function unpackTarball(project: TempProject): void {
  project.write({ 'package.json': '{ "private": true, "type": "module" }' })
  const own = join(project.folder, 'node_modules/@atscript/moost-wf')
  mkdirSync(own, { recursive: true })
  orThrow(project.run('tar', 'xzf', packTarball(project), '-C', own, '--strip-components=1'))
  for (const folder of ['.', '@atscript']) {
    for (const name of readdirSync(join(root, 'node_modules', folder))) {
      if (name === '@atscript' || name === 'moost-wf' || name === '.vite') continue
      const link = join(project.folder, 'node_modules', folder, name)
      symlinkSync(join(root, 'node_modules', folder, name), link)
    }
  }
}

/** @returns the path of the tarball */
export function packTarball(project: TempProject): string {
  const { output } = orThrow(project.run('npm', 'pack', '--silent', root))
  return join(project.folder, output.trim().split('\n').at(-1) ?? '')
}

function orThrow(outcome: Outcome): Outcome {
  if (outcome.code !== 0) throw new Error(outcome.output)
  return outcome
}
