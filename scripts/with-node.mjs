// Runs a command on another version of Node: node scripts/with-node.mjs 26 npx vitest run test/db
// Node comes as a package of npm, the newest of that version, and is kept until the next `npm ci`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('Say which version and what to run: node scripts/with-node.mjs 26 npm test')
  process.exit(2)
}

const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))
const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`
const prefix = join(cache, `node-${version}`)
const bin = join(prefix, 'node_modules', name, 'bin')
if (!existsSync(bin)) {
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const running = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' })
console.error(`On Node ${running.trim()}: ${[command, ...args].join(' ')}`)
const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) }
const { status, error } = spawnSync(command, args, { stdio: 'inherit', env })
if (error) console.error(error.message)
process.exit(status ?? 1)
