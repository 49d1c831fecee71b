import type { AddressInfo } from 'node:net'
import { MoostWf } from '@atscript/moost-wf'
import { MoostHttp } from '@atscript/moost-wf/http'
import { createLogger, Moost } from 'moost'
import { InvitationController } from './invitation.controller'
import { readSettings } from './settings'
import { WfController } from './wf.controller'

const STOP_GRACE_MS = 2000

async function main(): Promise<void> {
  const { host, port } = readSettings(process.env)
  const logger = createLogger({ level: 2 })
  const app = new Moost({ logger })
  const http = app.adapter(new MoostHttp({ logger }))
  app.adapter(new MoostWf({ logger }))
  await app.registerControllers(InvitationController, WfController).init()
  await http.listen(port, host)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('Stopping.')
      void http.close(STOP_GRACE_MS).then(() => process.exit(0))
    })
  }
  greet(http.getHttpApp().getServer()?.address() as AddressInfo)
}

function greet({ address, family, port }: AddressInfo): void {
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/api`
  const curl = (body: string) => `curl ${url}/wf -H 'content-type: application/json' -d '${body}'`
  console.log(`Ready at ${url}

1. Start an invitation; the answer has a token, "wfs":

   ${curl('{"wfid":"users/invite"}')}

2. Send the token back with an address:

   ${curl('{"wfs":"<token>","input":{"email":"ada@example.com"}}')}

3. Read the mail, which says what its recipient types next:

   curl ${url}/inbox

Stop with Ctrl-C.`)
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'That port is in use; set PORT to another one.',
  EACCES: 'That port needs more rights; set PORT to one above 1023.',
  ENOTFOUND: 'There is no such HOST; set it to 127.0.0.1, or leave it out.',
  EADDRNOTAVAIL: 'This machine does not have that HOST; set it to 127.0.0.1, or leave it out.',
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(PROBLEMS[error.code ?? ''] ?? error.message)
  process.exit(1)
})
