import { join } from 'node:path'
import { DEMO_SECRET } from '../src/settings/demo-secret'
import { isLoopback } from '../src/settings/loopback'
import { FOLDER } from './wrangler-config'

/** How to run the Worker here. */
export interface LocalSettings {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Where what is built goes. */
  readonly outDir: string
  /** As wrangler would hand them over. */
  readonly bindings: Readonly<Record<string, string>>
}

const PASSED_ON = ['WF_SECRET', 'PUBLIC_URL', 'MAIL_URL', 'MAIL_KEY', 'RUN_BUDGET_MS']
const MOST_PORT = 65_535

/** @throws Error with a sentence that says what to do */
export function readLocalSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const host = env.HOST || '127.0.0.1'
  const port = env.PORT || '3000'
  if (!/^\d{1,5}$/u.test(port) || Number(port) > MOST_PORT) {
    throw new Error(
      `PORT is "${port}"; set it to a number from 0 to ${MOST_PORT}, or leave it out.`,
    )
  }
  const given = PASSED_ON.flatMap(name => (env[name] ? [[name, env[name]] as const] : []))
  if (!isLoopback(host) && !env.PUBLIC_URL) {
    throw new Error('HOST is not this machine: set PUBLIC_URL to where users find it, https://…')
  }
  return {
    host,
    port: Number(port),
    outDir: env.OUT_DIR || join(FOLDER, 'dist'),
    dataDir: env.DATA_DIR || join(FOLDER, 'data'),
    bindings: { WF_SECRET: DEMO_SECRET, ...Object.fromEntries(given) },
  }
}
