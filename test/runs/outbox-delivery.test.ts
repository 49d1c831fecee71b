import {
  createEmailOutlet,
  createWebhookOutlet,
  createWfRuns,
  outlet,
  outletEmail,
  type WfOutlet,
} from '@atscript/moost-wf'
import { createTransport } from 'nodemailer'
import type { Logger } from '@wooksjs/event-core'
import { expect, it } from 'vitest'
import { openDurableApp } from '../support/durable-app'
import {
  type FlakyServer,
  openFlakyHook,
  openFlakySmtp,
  type Trouble,
} from '../support/flaky-servers'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const ROUNDS = scaled(1, 20)
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
const LINK = /https:\/\/example\.com\/accept\?wfs=([\w.-]+)/u
/** Long enough that it does not leave in one piece. */
const LONG = 'All that there is to know. '.repeat(8000)

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

const linkTo = (token: string) => `https://example.com/accept?wfs=${encodeURIComponent(token)}`

/** A way out to the server, and the pause that goes by it. */
const WAYS = {
  mail: {
    open: openFlakySmtp,
    outlet: ({ url }: FlakyServer): WfOutlet =>
      createEmailOutlet(async ({ target, token, messageId }) => {
        const transport = createTransport({ url, ignoreTLS: true, socketTimeout: 400 })
        const mail = {
          from: 'no-reply@example.com',
          to: target,
          subject: 'You are asked',
          messageId: `<${messageId}@example.com>`,
          text: `${LONG}\nPlease go on here: ${linkTo(token)}`,
        }
        await transport.sendMail(mail).finally(() => transport.close())
      }),
    ask: () => outletEmail('ada@example.com', 'ask'),
  },
  webhook: {
    open: openFlakyHook,
    outlet: ({ url }: FlakyServer): WfOutlet =>
      createWebhookOutlet({
        origins: [url],
        secret: SECRET,
        timeoutMs: 400,
        body: ({ token }) => ({ text: LONG.slice(0, 60_000), link: linkTo(token) }),
      }),
    ask: ({ url }: FlakyServer) => outlet('webhook', { target: `${url}/hooks/7` }),
  },
}

const TROUBLES: readonly (readonly Trouble[])[] = [
  ['down', 'down', 'mid', 'refused'],
  ['late', 'slow', 'late'],
]

describeOnRunStores(
  share => {
    it.each(
      Object.entries(WAYS).flatMap(([name, way]) =>
        TROUBLES.map(troubles => ({ name, way, troubles, title: troubles.join(', ') })),
      ),
    )(
      `a message by $name arrives when its server is in trouble: $title, ${ROUNDS} times of ${ROUNDS}`,
      async ({ way, troubles }) => {
        for (let round = 0; round < ROUNDS; round++) {
          const server = await way.open()
          const shared = share()
          const config = { outlets: [way.outlet(server)] }
          const app = await openDurableApp(shared, { config })
          const runs = createWfRuns({ ...app.runConfig, worker: false, logger: SILENT }, app.wf)
          app.deeds.ask = (ctx, input) => {
            if (!input?.name) return way.ask(server)
            ctx.name = input.name as string
          }
          server.troubles.push(...troubles)
          const sent = await app.runner.start('shop/order')
          if (sent.kind !== 'sent') throw new Error(`It is ${sent.kind}.`)
          const flowId = sent.flowId!
          for (let tries = 0; tries <= troubles.length; tries++) {
            await runs.runDue()
            shared.clock.advance(15 * 60_000)
          }
          expect(await runs.messages(flowId)).toMatchObject([{ status: 'sent' }])
          const { arrived } = server
          expect(arrived.length).toBeGreaterThan(0)
          // However often it has come, it is the same message, with the same link.
          const links = arrived.map(({ text }) => decodeURIComponent(LINK.exec(text)?.[1] ?? ''))
          expect(new Set(arrived.map(({ id }) => id)).size).toBe(1)
          expect(new Set(links).size).toBe(1)
          const answers = await Promise.all(
            [...links, ...links].map(token => app.runner.resume(token, { input: { name: 'Ada' } })),
          )
          expect(answers.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
        }
      },
      60_000,
    )
  },
  { outbox: true },
)
