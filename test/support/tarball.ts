import { join } from 'node:path'
import { root } from './project'
import type { TempProject } from './temp-project'

/** Packs what is built, and installs it in a project beside other packages. */
export function installTarball(project: TempProject, ...packages: readonly string[]): void {
  project.write({ 'package.json': '{ "private": true, "type": "module" }' })
  const packed = project.run('npm', 'pack', '--silent', root)
  if (packed.code !== 0) throw new Error(packed.output)
  const tarball = packed.output.trim().split('\n').at(-1) ?? ''
  const options = ['--prefer-offline', '--no-audit', '--no-fund']
  const file = join(project.folder, tarball)
  const installed = project.run('npm', 'install', ...options, file, ...packages)
  if (installed.code !== 0) throw new Error(installed.output)
}
