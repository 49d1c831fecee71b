import { EncapsulatedStateStrategy, WfError } from '@atscript/moost-wf'
import type { WorkerEnv } from '../worker-env'
import { DEMO_SECRET } from './demo-secret'
import { isLoopback } from './loopback'
import { SettingProblem } from './setting-problem'
import type { Settings } from './settings'

/** Less than a consumer of a queue may take, or an event of a cron trigger. */
const RUN_BUDGET_MS = 30_000

/** @throws SettingProblem */
export function readSettings(env: WorkerEnv): Settings {
  if (!env.DB) throw new SettingProblem('DB is missing: name a D1 database in wrangler.jsonc.')
  if (!env.QUEUE) throw new SettingProblem('QUEUE is missing: name a queue in wrangler.jsonc.')
  const publicUrl = readUrl(env, 'PUBLIC_URL')
  if (!publicUrl) {
    throw new SettingProblem('PUBLIC_URL is missing: set it to where users find this, https://…')
  }
  const isDemo = isLoopback(publicUrl.hostname)
  if (!isDemo && publicUrl.protocol !== 'https:') {
    throw new SettingProblem('PUBLIC_URL is not https://…: passwords would travel in the open.')
  }
  const mailUrl = readUrl(env, 'MAIL_URL')
  if (!mailUrl && !isDemo) {
    throw new SettingProblem(
      'MAIL_URL is missing: set it to what takes mails; see docs/workers.md.',
    )
  }
  return {
    secrets: readSecrets(env, isDemo),
    publicUrl: publicUrl.origin,
    isDemo,
    mailUrl: mailUrl?.href,
    mailKey: env.MAIL_KEY || undefined,
    hasInbox: isDemo && !mailUrl,
    runBudgetMs: readBudget(env),
  }
}

function readSecrets({ WF_SECRET = '' }: WorkerEnv, isDemo: boolean): readonly string[] {
  if (!WF_SECRET) {
    throw new SettingProblem(
      'WF_SECRET is missing: `npx wrangler secret put WF_SECRET`, with 43 characters of base64.',
    )
  }
  const secrets = WF_SECRET.split(',').map(secret => secret.trim())
  if (!isDemo && secrets.includes(DEMO_SECRET)) {
    throw new SettingProblem('WF_SECRET is that of the demo, which everybody knows: make your own.')
  }
  try {
    // It knows what a secret is.
    void new EncapsulatedStateStrategy({ secret: secrets })
  } catch (error) {
    if (error instanceof WfError) throw new SettingProblem(`WF_SECRET: ${error.message}`)
    throw error
  }
  return secrets
}

function readUrl(env: WorkerEnv, name: 'PUBLIC_URL' | 'MAIL_URL'): URL | undefined {
  const text = env[name]
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  throw new SettingProblem(`${name} is not an address that we know: set it to https://…`)
}

function readBudget({ RUN_BUDGET_MS: text }: WorkerEnv): number {
  if (!text) return RUN_BUDGET_MS
  if (/^\d{1,6}$/u.test(text) && Number(text) > 0) return Number(text)
  throw new SettingProblem('RUN_BUDGET_MS is no number of milliseconds from 1 to 999999.')
}
