import { MoostWf } from '@atscript/moost-wf'
import { MoostHttp } from '@atscript/moost-wf/http'
import { createLogger, Moost } from 'moost'
import { InvitationController } from './invitation.controller'
import { readSettings } from './settings'
import { WfController } from './wf.controller'

async function main(): Promise<void> {
  const { host, port } = readSettings(process.env)
  const logger = createLogger({ level: 2 })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger }))
  app.adapter(new MoostWf({ logger }))
  await app.registerControllers(InvitationController, WfController).init()
  await http.listen(port, host)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void http.close().then(() => process.exit(0)))
  }
  const url = `http://${host}:${port}/api/wf`
  console.log(`Ready. Start a workflow with:

  curl ${url} -H 'content-type: application/json' -d '{"wfid":"users/invite"}'

Send its "wfs" back with an input, and read the mail at http://${host}:${port}/api/inbox`)
}

main().catch((error: NodeJS.ErrnoException) => {
  const inUse = error.code === 'EADDRINUSE'
  console.error(inUse ? 'This port is in use; set PORT to another one.' : error.message)
  process.exit(1)
})
