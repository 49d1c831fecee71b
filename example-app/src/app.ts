import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { MoostWf } from '@atscript/moost-wf'
import { openDatabase } from '@atscript/moost-wf/db'
import { MoostHttp } from '@atscript/moost-wf/http'
import { createLogger, Moost } from 'moost'
import { AccountController } from './api/account.controller'
import { ApprovalsController } from './api/approvals.controller'
import { DemoController } from './api/demo.controller'
import { InboxController } from './api/inbox.controller'
import { KillController } from './api/kill.controller'
import { createAdmin } from './api/wf-admin'
import { WfController } from './api/wf.controller'
import { DecisionController } from './approvals/decision.controller'
import { ExpenseController } from './approvals/expense.controller'
import { NoticeController } from './approvals/notice.controller'
import { OutcomeController } from './approvals/outcome.controller'
import { InviteController } from './invitations/invite.controller'
import { PagesController } from './pages/pages.controller'
import { addSecurityHeaders } from './pages/security-headers'
import { Services } from './services'
import { localUrl, type Settings } from './settings/settings'
import { CodesController } from './sign-in/codes.controller'
import { RecoverController } from './sign-in/recover.controller'
import { SecondFactorController } from './sign-in/second-factor.controller'
import { SignInController } from './sign-in/sign-in.controller'

const WORKFLOWS = [
  SignInController,
  CodesController,
  RecoverController,
  SecondFactorController,
  InviteController,
  ExpenseController,
  DecisionController,
  OutcomeController,
  NoticeController,
]
const ROUTES = [
  WfController,
  AccountController,
  DemoController,
  InboxController,
  KillController,
  ApprovalsController,
  PagesController,
]

/** What the log is for: warnings and errors. */
const LOG_LEVEL = 2
const STOP_GRACE_MS = 10_000

/** The running application. */
export interface App {
  readonly services: Services
  readonly port: number
  /** Lets running requests finish, sends the mails that are on their way, closes the database. */
  close(): Promise<void>
}

export async function startApp(settings: Settings): Promise<App> {
  const { databaseUrl, dataDir } = settings
  const space = await openDatabase(databaseUrl ?? join(dataDir, 'app.db'), {
    // Power may fail behind an answer that was accepted: SQLite waits for the disk.
    sqlite: { synchronous: 'full' },
  })
  const services = new Services(settings, space)
  try {
    await services.open()
    const http = await listen(settings, services)
    const server = http.getHttpApp().getServer()!
    addSecurityHeaders(server)
    const { port } = server.address() as AddressInfo
    if (settings.publicUrl === undefined) services.address.origin = localUrl(port)
    services.startRuns()
    const close = async () => {
      await http.close(STOP_GRACE_MS)
      await services.close()
    }
    return { services, port, close }
  } catch (error) {
    await services.close().catch(() => undefined)
    throw error
  }
}

async function listen({ host, port }: Settings, services: Services): Promise<MoostHttp> {
  const logger = createLogger({ level: LOG_LEVEL })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger }))
  const wf = app.adapter(new MoostWf({ logger }))
  app.setProvideRegistry(services.registry())
  await app.registerControllers(...WORKFLOWS, createAdmin(services, wf), ...ROUTES).init()
  services.createRuns(wf)
  await http.listen(port, host)
  return http
}
