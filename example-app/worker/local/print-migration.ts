import { nextMigration } from './next-migration'

process.stdout.write(await nextMigration())
