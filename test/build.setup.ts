import { execFileSync } from 'node:child_process'
import { root } from './support/project'

/** Some tests are about what is published. It is built once, before any of them. */
export function setup(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' })
}
