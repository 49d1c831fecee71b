import { randomBytes } from 'node:crypto'
import { EncapsulatedStateStrategy } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { ADMIN_ROUTES } from '../../src/admin/admin-routes'
import { request } from '../support/shop'
import { type OpenAdmin, openAdmin } from './admin-app'
import { DISGUISES } from './disguises'
import { notesOf } from '../../src/state'

type Options = Parameters<typeof openAdmin>[0]
type Row = Awaited<ReturnType<OpenAdmin['onlyRow']>>

let count = 0
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Handles as applications might make them. */
const SHAPES: [name: string, generateHandle: (() => string) | undefined][] = [
  ['the usual handles', undefined],
  ['handles of base64url', () => `-_${randomBytes(12).toString('base64url')}_-`],
  ['handles of base64', () => `+/${randomBytes(17).toString('base64')}`],
  ['handles of letters', () => Array.from(randomBytes(20), byte => letters[byte % 26]).join('')],
  ['handles of digits', () => String(100_000_000_000_000 + ++count)],
  [
    'handles with dots',
    () => `v1.${randomBytes(6).toString('hex')}.${randomBytes(6).toString('hex')}`,
  ],
]

const WAYS: [name: string, Options][] = [
  ['in the table', {}],
  ['hashed', { store: { hashHandles: true } }],
  ['that stay', { strategy: { stable: true } }],
  ['that stay, hashed', { strategy: { stable: true }, store: { hashHandles: true } }],
]

const rawOf = (token: string) => token.slice(token.indexOf('.') + 1)
const handleOf = (token: string) => rawOf(token).replace(/~[^~]*$/u, '')

/** Every text that a token could be read from. */
const tracesOf = (token: string) =>
  [...new Set([token, rawOf(token), handleOf(token)])].flatMap(text =>
    DISGUISES.map(([name, disguise]) => ({ name, text: disguise(text) })),
  )

/** Among the longest texts of the context, and so among the last that are looked at. */
const SHOWN = 'y '.repeat(1000)

/** Keys that say nothing: what looks secret by its name is hidden for that. */
function contextWith(tokens: readonly string[]) {
  const texts = tokens.flatMap(tracesOf).map(({ text }) => text)
  return {
    applicant: texts[0],
    values: Object.fromEntries(texts.map((text, n) => [`n${n}`, text])),
    keys: Object.fromEntries(texts.map((text, n) => [text, n])),
    numbers: tokens.map(token => Number(handleOf(token))).filter(Number.isSafeInteger),
    list: tokens.map(token => [[[token]]]),
    cutOff: tokens.map(token => `${'x'.repeat(1995 - token.length)} ${token} and so on`),
    cutOffLater: tokens.map(token => `${'x '.repeat(990)}${token} and so on`),
    shown: SHOWN,
  }
}

/** Puts the tokens wherever an application can put something. */
async function spread(
  { table }: OpenAdmin,
  rows: readonly Row[],
  tokens: readonly string[],
  sealed: string,
) {
  for (const [n, { id, state }] of rows.entries()) {
    const [one = '', two = ''] = [tokens[n], tokens[n + 1] ?? tokens[0]]
    const notes = notesOf({ schemaId: '', ...state })!
    const wf = {
      flow: { ...notes.flow, startedBy: one },
      pause: { ...notes.pause, outlet: one },
      position: { ...notes.position, stepId: two },
    }
    await table.updateMany(
      { id },
      {
        state: { ...state, context: contextWith([...tokens, sealed]), meta: { ...state.meta, wf } },
        ...(n === 2 && { schemaId: `expenses/${handleOf(one)}` }),
        applicant: `https://app.example/accept?wfs=${encodeURIComponent(two)}`,
        stage: handleOf(one),
        tenantId: one,
        createdBy: Buffer.from(two).toString('base64'),
        lastUpdatedBy: `by ${rawOf(two)}`,
        flowId: handleOf(one),
        startedBy: sealed,
      },
    )
  }
}

/** Asks all that can be asked, of each flow, and collects what is answered. */
async function askEverything(app: OpenAdmin, rows: readonly Row[]): Promise<string[]> {
  const paths = ADMIN_ROUTES.flatMap(({ method, path }) =>
    rows.flatMap(({ id, version }) => {
      const versions = method === 'GET' ? [version] : [version, version + 1, version + 2]
      return versions.map(seen => ({ method, path: path.replace(':id', id), seen }))
    }),
  )
  const queries = [
    'search=app.example',
    'filter={"applicant":{"$contains":"wfs"}}',
    'sort=stage,-flowId&size=100',
    'status=live',
    'nonsense=1',
  ].map(query => ({ method: 'GET', path: `flows?${query}`, seen: 1 }))
  // The flows must still be there when they are looked at.
  const order = ['GET', 'extend', 'resend', 'heal', 'cleanup', 'revoke']
  const rank = ({ method, path }: { method: string; path: string }) =>
    order.findIndex(word => method === word || path.endsWith(word))
  const answers: string[] = []
  for (const { method, path, seen } of [...queries, ...paths].toSorted(
    (a, b) => rank(a) - rank(b),
  )) {
    const body = { version: seen, expiresAt: app.clock.now() + 1000 }
    const sent = path.endsWith('extend') ? body : { version: seen }
    const headers = { authorization: 'Bearer admin' }
    const answer = await request(app.url, sent, { method, path: `/api/admin/${path}`, headers })
    answers.push(answer.text, JSON.stringify([...answer.headers]))
  }
  return answers
}

describe.each(WAYS)('handles %s', (_way, options) => {
  it.each(SHAPES)(
    'never leave: %s',
    async (_shape, generateHandle) => {
      const sealed = `sealed.${await new EncapsulatedStateStrategy({
        secret: randomBytes(32),
      }).persist({ schemaId: 'expenses/claim', indexes: [0], context: {} })}`
      const tokens: string[] = []
      const app = await openAdmin({
        ...options,
        strategy: { ...options?.strategy, ...(generateHandle && { generateHandle }) },
        admin: {
          resend: async ({ token }) => {
            tokens.push(token)
            if (tokens.length % 2 === 0)
              throw new HttpError(422, `No one at ${tokens.join(' or ')}`)
          },
        },
      })
      tokens.push(await app.pause('expenses/claim'))
      tokens.push(await app.pause('expenses/invite', { applicant: 'Bob', amount: 900 }))
      tokens.push(await app.pause('expenses/short'))
      const rows = await app.table.findMany({ filter: {} })
      await spread(app, rows as Row[], [...tokens], sealed)
      const told = (await askEverything(app, rows as Row[])).join('\n')
      const seen = [...tokens, sealed]
        .flatMap(tracesOf)
        .filter(({ text }) => told.includes(JSON.stringify(text).slice(1, -1)))
      expect(seen).toEqual([])
      expect(told).toContain(`"shown":"${SHOWN}"`)
      expect(told).toContain('"total":3')
    },
    120_000,
  )
})

describe('what is no live link', () => {
  const ordinary = {
    order: 'ORD-2024-000123',
    mail: 'ada.lovelace+test@example.com',
    site: 'https://shop.example/orders/000123?lang=en&ref=mail#top',
    uuid: '3f0c4c1e-6c1e-4b8e-9a52-0f4b6a0f5a11',
    payment: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    iban: 'DE89 3704 0044 0532 0130 00',
    phone: '+49 30 901820',
    file: 'invoice.2024-11-18-final-version-of-the-document.pdf',
    host: 'my-bucket.s3-eu-west-1-something-long.amazonaws.com',
    version: 'v1.2.3-beta.4',
    picture: `data:image/png;base64,${Buffer.from(Array.from({ length: 90 }, (_, n) => 255 - n)).toString('base64')}`,
    money: 1234.5,
    time: 1_700_000_000_000,
    prose: 'Dear Ada,\n\nyour order (no. 123) is 100% ready – see you soon!\n> Thanks',
    chinese: '您的订单已发货，请查收。',
    json: '{"a":[1,2,{"b":"c"}]}',
    nothing: null,
    yes: true,
    list: ['a', '', ' ', '…'],
  }

  it.each(WAYS)('is shown: handles %s', async (_way, options) => {
    const app = await openAdmin(options)
    await app.pause('expenses/claim')
    const { id, state } = await app.onlyRow()
    await app.table.updateMany({ id }, { state: { ...state, context: ordinary }, applicant: 'Ann' })
    const { body } = await app.get(`flows/${id}`)
    expect(body.context).toEqual(ordinary)
    expect(body.id).toBe(id)
    expect(body.flowId).toBe((await app.onlyRow()).flowId)
    const list = await app.get('flows')
    expect(list.body.rows[0]).toMatchObject({ id, values: { id, applicant: 'Ann' } })
  })

  it('is shown beside a wall of text, which is not', async () => {
    const app = await openAdmin()
    await app.pause('expenses/claim')
    const { id, state } = await app.onlyRow()
    const wall = Array.from({ length: 200 }, (_, n) => `${n}${'.-_~'.repeat(400)}`)
    await app.table.updateMany({ id }, { state: { ...state, context: { name: 'Ann', wall } } })
    const { status, body } = await app.get(`flows/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, schemaId: 'expenses/claim', context: { name: 'Ann' } })
    expect(body.context.wall.at(-1)).toBe('•••')
  })

  it('is a link whose flow has ended', async () => {
    const app = await openAdmin()
    const ended = handleOf(await app.pause('expenses/claim'))
    await app.table.deleteMany({ handle: ended })
    await app.pause('expenses/claim')
    const { id, state } = await app.onlyRow()
    await app.table.updateMany({ id }, { state: { ...state, context: { former: ended } } })
    expect((await app.get(`flows/${id}`)).body.context).toEqual({ former: ended })
  })
})

it('a link of another tenant is not shown either', async () => {
  const app = await openAdmin()
  const foreign = handleOf(await app.pause('expenses/claim'))
  await app.table.updateMany({ handle: foreign }, { tenantId: 'other' })
  const [row] = await app.table.findMany({ filter: { handle: foreign } })
  await app.table.insertOne({
    ...row!,
    id: 'mine',
    handle: 'h',
    state: { ...row!.state, context: { note: foreign } },
  })
  const found = await app.store.handlesAmong([foreign, 'h', 'nobody', '', '\0'])
  expect([...found].toSorted()).toEqual([foreign, 'h'].toSorted())
  expect((await app.get('flows/mine')).body.context).toEqual({ note: '•••' })
})
