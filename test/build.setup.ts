import { execFileSync } from 'node:child_process'
import { root } from './support/project'

/** Some tests are about what is published. It is built once, before any of them. */
export function setup(): void {
  // A run within a run must not take away what the outer one is using.
  if (process.env.WF_TEST_FILES) return
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' })
  // The types of the .as files, which the examples are compiled with.
  execFileSync('npx', ['asc', '-f', 'dts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
