// Runtimes come as packages of npm, which are kept until the next `npm ci`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/**
 * The newest of a version of a package.
 *
 * @returns the folder that it is installed in
 * @throws a sentence that says what could not be fetched
 */
export function fetchPackage(name, version) {
  const prefix = join(cache, `${name}-${version}`)
  const folder = join(prefix, 'node_modules')
  if (existsSync(join(folder, name))) return folder
  console.error(`Fetching ${name}@${version}`)
  // Without the folder npm would take a name such as bun for a path.
  mkdirSync(prefix, { recursive: true })
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    execFileSync('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
  } catch (error) {
    const said = error.stderr?.matchAll(/^npm error (.+)$/gmu) ?? []
    // The first line is a code, and the second one says what it means.
    const why = [...said].slice(0, 2).map(([, line]) => line)
    throw new Error(`npm could not fetch ${name}@${version}: ${why.join(', ')}`, { cause: error })
  }
  return folder
}

/** @returns the path of this version of Node, which may be the one that runs */
export function fetchNode(version) {
  if (process.versions.node.split('.')[0] === version) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  return join(fetchPackage(name, version), name, 'bin/node')
}
