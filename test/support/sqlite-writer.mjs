// Another process that writes to an SQLite file: begins, and commits when it is told to.
// node sqlite-writer.mjs <file> <sql>
import { DatabaseSync } from '@photostructure/sqlite'

const [file, sql] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec(`begin immediate; ${sql}`)
process.once('message', () => {
  database.exec('commit')
  database.close()
  process.disconnect()
})
process.send('begun')
