import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testEngines } from '../support/databases'
import { textsIn, writingsOf } from '../support/readings'
import { RunDatabase } from '../support/run-stores'
import { LEASE_MS, newSecrets, openSecretApp } from '../support/secret-app'

type Row = Readonly<Record<string, unknown>>

const KEPT = 'kept-in-the-context'

describe.each(testEngines())('the tables of runs on $name', engine => {
  let database: RunDatabase

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
  })
  afterAll(() => database.drop())

  /** All rows of the tables, as they are now. */
  const dump = async () => {
    const { runs, events, links, outbox } = database
    return {
      runs: (await runs.findMany({ filter: {} })) as readonly Row[],
      events: await events.findMany({ filter: {} }),
      links: await links.findMany({ filter: {} }),
      outbox: await outbox.findMany({ filter: {} }),
    }
  }

  it.each([false, true])(
    'hold nothing that is sealed, secret, or of use as a token; outbox: %s',
    async hasOutbox => {
      const secrets = newSecrets()
      await database.clear()
      const outbox = hasOutbox ? database.outbox : undefined
      const app = await openSecretApp(database.store({ outbox }), secrets)
      const seen: Awaited<ReturnType<typeof dump>>[] = []
      const look = async () => void seen.push(await dump())
      const hang = async (work: () => Promise<unknown>) => {
        let isReached = false
        app.does.wish = () => {
          isReached = true
          return new Promise(() => {})
        }
        void work().catch(() => {})
        await vi.waitFor(() => expect(isReached).toBe(true))
        app.does.wish = () => undefined
      }
      const wish = { wish: secrets.answer }

      // A password, and an answer that a step fails on and then dies with: it is kept, and goes on.
      const tokens: string[] = [...(await app.signIn())]
      await look()
      app.does.wish = () => {
        throw new Error(secrets.message)
      }
      expect((await app.send({ wfs: tokens[1], input: wish })).status).toBe(500)
      await look()
      await hang(() => app.send({ wfs: tokens[1], input: wish }))
      await look()
      const [lost] = seen.at(-1)!.runs
      expect(lost!.answer).toBeTypeOf('string')
      database.clock.advance(LEASE_MS)
      expect(await app.api.runDue()).toMatchObject({ done: hasOutbox ? 2 : 1 })
      const flowId = String(lost!.flowId)
      const { version } = (await app.api.get(flowId))!
      await app.api.update(flowId, version, context => ({ ...(context as object), apiKey: KEPT }))
      await app.api.extend(flowId, { ttlMs: LEASE_MS })
      await look()
      const code = { code: secrets.code }
      const ended = await app.send({ wfs: app.mails[0]!.token, input: code })
      expect(ended.body).toMatchObject({ finished: true, data: { apiKey: KEPT } })

      // A link for this browser alone, which is watched.
      const others = await app.signIn()
      app.does.link = 'sameBrowser'
      const sent = await app.send({ wfs: others[1], input: wish })
      const cookie = sent.headers.get('set-cookie')!.split('; ')[0]!
      await look()
      await app.api.runDue()
      await look()
      if (hasOutbox) expect(seen.at(-1)!.outbox).toMatchObject([{}, { status: 'sent' }])

      // A run that goes on by itself, and ends before it has.
      await hang(() => app.api.start('vault/quiet', { input: { wish: secrets.input } }))
      await look()
      const quiet = seen.at(-1)!.runs.find(({ schemaId }) => schemaId === 'vault/quiet')!
      expect(quiet.input).toBeTypeOf('string')
      await app.api.cancel(String(quiet.flowId))
      await look()

      tokens.push(...others, ...app.mails.map(({ token }) => token), sent.body.watch)
      const raw = [...tokens, cookie].map(text => text.slice(text.search(/[.=]/u) + 1))
      const cells = JSON.stringify(seen)
      for (const secret of [...Object.values(secrets), ...tokens, ...raw]) {
        for (const writing of writingsOf(secret)) expect(cells).not.toContain(writing)
      }
      expect(cells).not.toMatch(new RegExp(`(?<![\\w-])${secrets.code}(?![\\w-])`, 'u'))

      // A context stands in its row as the steps have made it, and nowhere else.
      const elsewhere = seen.map(({ runs, ...rest }) => [
        rest,
        runs.map(({ state: _state, ...columns }) => columns),
      ])
      expect(cells).toContain(KEPT)
      for (const writing of writingsOf(KEPT)) {
        expect(JSON.stringify(elsewhere)).not.toContain(writing)
      }

      // Nothing that is there opens anything.
      const link = app.mails[1]!.token
      const [name] = cookie.split('=')
      for (const text of new Set(textsIn(seen.at(-1)))) {
        const escaped = encodeURIComponent(text)
        const answers = [
          await app.send({ wfs: text, input: code }),
          await app.send({ wfs: `default.${text}`, input: code }),
          await app.send({ wfs: link, input: code }, { cookie: `${name}=${escaped}` }),
        ]
        for (const { status } of answers)
          expect([text, status]).toEqual([text, expect.toSatisfy(isRefusal)])
      }
      const right = await app.send({ wfs: link, input: code }, { cookie })
      expect(right.body.finished).toBe(true)
    },
  )
})

const isRefusal = (status: number) => status >= 400 && status < 500
