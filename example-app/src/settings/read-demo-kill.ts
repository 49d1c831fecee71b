import { isForThisMachine } from './loopback'

/**
 * Whether admins may kill the server: `DEMO_KILL=1`.
 *
 * @throws Error with a sentence that says what to do, also where others than this machine would notice
 */
export function readDemoKill({ DEMO_KILL }: NodeJS.ProcessEnv, isLocal: boolean): boolean {
  if (!DEMO_KILL || DEMO_KILL === '0') return false
  if (DEMO_KILL !== '1') throw new Error(`DEMO_KILL is "${DEMO_KILL}"; set it to 1, or to 0.`)
  if (isLocal) return true
  throw new Error(
    'DEMO_KILL lets admins kill the server, which is for this machine alone, and HOST or PUBLIC_URL is ' +
      'not; set DEMO_KILL to 0, or leave HOST and PUBLIC_URL out.',
  )
}

/** What `npm start` takes where nobody says anything: it is on where nobody else can get at the server. */
export function demoKillByDefault(env: NodeJS.ProcessEnv): '0' | '1' {
  const { HOST, PUBLIC_URL, TRUST_PROXY } = env
  const isLocal = isForThisMachine(HOST || '127.0.0.1', PUBLIC_URL || 'http://localhost')
  return isLocal && !TRUST_PROXY ? '1' : '0'
}
