import { MoostWf } from '@atscript/moost-wf'
import { openD1 } from '@atscript/moost-wf/db/d1'
import { MoostHttp } from '@atscript/moost-wf/http'
import { createLogger, createProvideRegistry, Moost } from 'moost'
import { Accounts } from './accounts/accounts'
import { Sessions } from './accounts/sessions'
import { AccountController } from './api/account.controller'
import { InboxController } from './api/inbox.controller'
import { WfController } from './api/wf.controller'
import { WfEndpoint } from './api/wf-endpoint'
import { ExpenseController } from './approvals/expense.controller'
import { Database } from './database/database'
import { InviteController } from './invitations/invite.controller'
import { Inbox } from './mail/inbox'
import { Mails } from './mail/mails'
import { NewsController } from './news/news.controller'
import { LongWork } from './runs/long-work'
import type { Settings } from './settings/settings'
import { SignInController } from './sign-in/sign-in.controller'
import type { WorkerEnv } from './worker-env'

const WORKFLOWS = [SignInController, InviteController, ExpenseController, NewsController]
const ROUTES = [WfController, AccountController, InboxController]

/** What the log is for: warnings and errors. */
const LOG_LEVEL = 2

export interface App {
  readonly http: MoostHttp
  readonly database: Database
  readonly longWork: LongWork
}

/** Puts the application together. It asks nothing of the database: a Worker cannot while it starts. */
export async function createApp(settings: Settings, env: WorkerEnv): Promise<App> {
  const logger = createLogger({ level: LOG_LEVEL })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger }))
  const wf = app.adapter(new MoostWf({ logger }))
  const database = new Database(openD1(env.DB))
  const accounts = new Accounts(database, settings.isDemo)
  const sessions = new Sessions(database, accounts, settings.publicUrl.startsWith('https:'))
  const inbox = new Inbox(database, settings.hasInbox)
  const mails = new Mails(settings, inbox)
  const endpoint = new WfEndpoint(settings, database, mails, sessions)
  await endpoint.open()
  const longWork = new LongWork(endpoint, wf, env.QUEUE, settings.runBudgetMs)
  app.setProvideRegistry(
    createProvideRegistry(
      [Accounts, () => accounts],
      [Sessions, () => sessions],
      [Inbox, () => inbox],
      [Mails, () => mails],
      [WfEndpoint, () => endpoint],
      [LongWork, () => longWork],
    ),
  )
  await app.registerControllers(...WORKFLOWS, ...ROUTES).init()
  return { http, database, longWork }
}
