import { fileURLToPath } from 'node:url'
import { supervise } from './demo/supervise'
import { demoKillByDefault } from './settings/read-demo-kill'

/** What `npm start` runs: the server, and where it may be killed somebody who starts it again. */
const { DEMO_KILL = demoKillByDefault(process.env) } = process.env

if (DEMO_KILL === '1') {
  const [, runner = ''] = process.argv
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  supervise([runner, main], { ...process.env, DEMO_KILL }).then(
    code => process.exit(code),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
} else await import('./main')
