import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFile, readFiles, root } from './support/project'

/** What was built last, and what it was made from. */
const STAMP = join(root, 'node_modules/.cache/moost-wf/built')
const SETTINGS = ['package-lock.json', 'tsconfig.json', 'tsdown.config.ts', 'atscript.config.ts']

/** Some tests are about what is published. It is built before any of them, unless nothing has changed. */
export function setup(): void {
  // A run within a run must not take away what the outer one is using.
  if (process.env.WF_TEST_FILES) return
  const inputs = digestOfInputs()
  if (lastBuilt() === `${inputs} ${builtAt()}`) return
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' })
  // The types of the .as files, which the examples are compiled with.
  execFileSync('npx', ['asc', '-f', 'dts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, `${inputs} ${builtAt()}`)
}

/** Whoever builds by hand may build something else. */
function builtAt(): number | undefined {
  return statSync(join(root, 'dist/index.mjs'), { throwIfNoEntry: false })?.mtimeMs
}

function lastBuilt(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined
  }
}

function digestOfInputs(): string {
  const hash = createHash('sha256')
  const schemas = ['schemas', 'test', 'example-app'].flatMap(folder => readFiles(folder, '.as'))
  const settings = ['package.json', ...SETTINGS].map(readFile)
  for (const { path, text } of [
    ...readFiles('src', ''),
    ...readFiles('scripts', ''),
    ...schemas,
    ...settings,
  ]) {
    hash.update(`${path}\0${text}\0`)
  }
  return hash.digest('hex')
}
