import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isForThisMachine } from './loopback'
import { readAddress } from './read-address'
import { readDemoKill } from './read-demo-kill'
import { readNumber } from './read-number'
import { readSecrets } from './read-secrets'

/** What the application reads from its environment. */
export interface Settings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly dataDir: string
  /** `undefined`: an SQLite file in the data folder. */
  readonly databaseUrl?: string
  /** `undefined`: the built-in mail box. */
  readonly smtpUrl?: string
  /** The current one first; the others still open what they have sealed. */
  readonly secrets: readonly string[]
  /** An origin, such as `https://app.example.com`; `undefined`: localhost and the port. */
  readonly publicUrl?: string
  /** How many proxies of ours pass requests on, each with the address that it was called from. */
  readonly proxies: number
  /** How often whoever decides about an expense is reminded, in milliseconds; 0: never. */
  readonly remindMs: number
  /** When somebody else is asked as well; 0: never, and nobody is reminded. */
  readonly escalateMs: number
  /**
   * Whether this is for its own machine alone, by where it listens and by where users find it. The
   * demo accounts and the inbox are for that case.
   */
  readonly isLocal: boolean
  /** Whether admins may kill this process, to see that nothing is lost. */
  readonly canBeKilled: boolean
}

const PORT = { most: 65_535, byDefault: 3000 }
const PROXIES = { most: 10, byDefault: 0, what: 'the number of proxies in front,' }
const A_YEAR_SECONDS = 365 * 24 * 60 * 60
const REMIND = { most: A_YEAR_SECONDS, byDefault: 120, what: 'a number of seconds' }
const ESCALATE = { most: A_YEAR_SECONDS, byDefault: 300, what: 'a number of seconds' }
const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../data', import.meta.url))

/** @throws Error with a sentence that says what to do */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const host = env.HOST || '127.0.0.1'
  const port = readNumber('PORT', env, PORT)
  const proxies = readNumber('TRUST_PROXY', env, PROXIES)
  const remindMs = readNumber('REMIND_SECONDS', env, REMIND) * 1000
  const escalateMs = readNumber('ESCALATE_SECONDS', env, ESCALATE) * 1000
  const databaseUrl = readAddress('DATABASE_URL', env, ['postgres:', 'postgresql:', 'mysql:'])
  const smtpUrl = readAddress('SMTP_URL', env, ['smtp:', 'smtps:'])
  const publicUrl = readPublicUrl(env)
  const isLocal = isForThisMachine(host, publicUrl ?? localUrl(port))
  const canBeKilled = readDemoKill(env, isLocal)
  const dataDir = openDataDir(env.DATA_DIR ? resolve(env.DATA_DIR) : DEFAULT_DATA_DIR)
  return {
    host,
    port,
    dataDir,
    databaseUrl,
    smtpUrl,
    publicUrl: publicUrl ?? (port === 0 ? undefined : localUrl(port)),
    proxies,
    remindMs,
    escalateMs,
    secrets: readSecrets(env.WF_SECRET, dataDir),
    isLocal,
    canBeKilled,
  }
}

/** Where the application is found when nobody says otherwise. */
export const localUrl = (port: number): string => `http://localhost:${port}`

function readPublicUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = readAddress('PUBLIC_URL', env, ['http:', 'https:'])
  if (url === undefined) return undefined
  const { origin, pathname, search, hash, username } = new URL(url)
  if (pathname === '/' && !search && !hash && !username) return origin
  throw new Error(
    'PUBLIC_URL has more than an origin; set it to something like "https://app.example.com".',
  )
}

function openDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return dataDir
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `DATA_DIR is "${dataDir}", which cannot be made (${code}); set it to a folder that can.`,
      { cause: error },
    )
  }
}
