import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWfRuns, type MoostWf, type WfRuns } from '@atscript/moost-wf'
import type { DbSpace } from '@atscript/moost-wf/db'
import { createProvideRegistry } from 'moost'
import { Accounts } from './accounts/accounts'
import { DemoAccounts } from './accounts/demo-accounts'
import { Passwords } from './accounts/passwords'
import { Sessions } from './accounts/sessions'
import { Callers } from './api/callers'
import { ALLOWED_WORKFLOWS, WfEndpoint } from './api/wf-endpoint'
import { ApprovalTimes } from './approvals/approval-times'
import { Deciders } from './approvals/deciders'
import { NOTICE_WORKFLOW, Notices } from './approvals/notices'
import { OwnDecisions } from './approvals/own-decisions'
import { Standings } from './approvals/standings'
import { Withdrawals } from './approvals/withdrawals'
import { Database } from './database/database'
import { startHousekeeping } from './database/housekeeping'
import { startRunHousekeeping } from './database/run-housekeeping'
import { KillSwitch } from './demo/kill-switch'
import { mailOutlet } from './mail/email-outlet'
import { Mailer } from './mail/mailer'
import { PublicAddress } from './mail/public-address'
import { PageFiles } from './pages/page-files'
import { localUrl, type Settings } from './settings/settings'
import { MailedCodes } from './sign-in/mailed-codes'
import { TotpCodes } from './sign-in/totp'

const PAGES = fileURLToPath(new URL('../dist', import.meta.url))

/** All that the controllers are given. */
export class Services {
  readonly address
  readonly database
  readonly mailer
  readonly passwords = new Passwords()
  readonly accounts
  readonly demo
  readonly sessions
  readonly outlet
  readonly callers
  readonly endpoint
  readonly #settings
  #runs?: WfRuns
  #stopHousekeeping?: () => void
  #stopRunHousekeeping?: () => void

  constructor(settings: Settings, space: DbSpace) {
    this.#settings = settings
    this.address = new PublicAddress(settings.publicUrl ?? localUrl(settings.port))
    this.database = new Database(space)
    this.mailer = new Mailer({
      smtpUrl: settings.smtpUrl,
      mailboxPath: settings.isLocal ? join(settings.dataDir, 'inbox.jsonl') : undefined,
      domain: new URL(this.address.origin).hostname,
    })
    this.accounts = new Accounts(this.database, settings.isLocal)
    this.demo = new DemoAccounts(this.accounts, this.passwords, settings.isLocal)
    const isSecure = this.address.origin.startsWith('https:')
    this.sessions = new Sessions(this.database, this.accounts, isSecure)
    this.outlet = mailOutlet(this.mailer, this.address)
    this.callers = new Callers(settings.proxies)
    const { database, outlet, sessions, callers } = this
    this.endpoint = new WfEndpoint(settings, database, outlet, sessions, callers)
  }

  /** The durable runs, once they are looked after. */
  get runs(): WfRuns {
    if (!this.#runs) throw new Error('The runs are not there before the workflows.')
    return this.#runs
  }

  /** @throws when the database does not answer */
  async open(): Promise<void> {
    await this.database.open()
    await Promise.all([this.mailer.open(), this.demo.seed(), this.passwords.open()])
    this.#stopHousekeeping = startHousekeeping(this.database)
  }

  /** Lets the controllers get at the durable runs. */
  createRuns(wf: MoostWf): void {
    const { config } = this.endpoint
    const allow = [...ALLOWED_WORKFLOWS, NOTICE_WORKFLOW]
    this.#runs = createWfRuns({ ...config, allow, worker: false }, wf)
  }

  /**
   * From now on goes on with what another process has left, sends the mails that wait, and removes what has
   * ended long ago. The mails have links: the public address must be known.
   */
  startRuns(): void {
    this.runs.startWorker()
    this.#stopRunHousekeeping = startRunHousekeeping(this.runs)
  }

  /** Waits for runs that go on here and for mails on their way, and then closes the database. */
  async close(): Promise<void> {
    this.#stopHousekeeping?.()
    this.#stopRunHousekeeping?.()
    await this.#runs?.stop()
    await this.mailer.close()
    await this.database.close()
  }

  /** By class, for the constructors of controllers. */
  registry() {
    const { database, passwords, accounts, sessions, mailer, address, demo } = this
    const { callers, endpoint } = this
    const { ledger } = database
    const { remindMs, escalateMs } = this.#settings
    const runs = () => this.runs
    const notices = new Notices(runs)
    const mailedCodes = new MailedCodes(ledger, this.#settings.secrets[0] ?? '')
    return createProvideRegistry(
      [Database, () => database],
      [Passwords, () => passwords],
      [Accounts, () => accounts],
      [DemoAccounts, () => demo],
      [Sessions, () => sessions],
      [Mailer, () => mailer],
      [PublicAddress, () => address],
      [Callers, () => callers],
      [KillSwitch, () => new KillSwitch(this.#settings.canBeKilled)],
      [TotpCodes, () => new TotpCodes(ledger)],
      [MailedCodes, () => mailedCodes],
      [WfEndpoint, () => endpoint],
      [Deciders, () => new Deciders(accounts)],
      [ApprovalTimes, () => new ApprovalTimes(remindMs, escalateMs)],
      [Notices, () => notices],
      [OwnDecisions, () => new OwnDecisions(sessions, runs)],
      [Withdrawals, () => new Withdrawals(database, sessions, notices, runs)],
      [Standings, () => new Standings(database, sessions, runs)],
      [PageFiles, () => new PageFiles(PAGES)],
    )
  }
}
