// Runs a command on another version of Node: node scripts/with-node.mjs 26 npx vitest run test/db
// Node comes as a package of npm, the newest of that version, and is kept until the next `npm ci`.
import { execFileSync, spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { fetchNode } from './runtimes/fetch-package.mjs'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('Say which version and what to run: node scripts/with-node.mjs 26 npm test')
  process.exit(2)
}

const node = fetchNode(version)
const running = execFileSync(node, ['--version'], { encoding: 'utf8' })
console.error(`On Node ${running.trim()}: ${[command, ...args].join(' ')}`)
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
const { status, error } = spawnSync(command, args, { stdio: 'inherit', env })
if (error) console.error(error.message)
process.exit(status ?? 1)
