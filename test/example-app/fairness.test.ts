import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { WfLedgerRow } from '../../example-app/schemas/WfLedgerRow.as'
import { type ExampleApp, startSharedApp } from '../support/example-app'

const ATTACKS = 60
const MEMBER = ['member@example.com', 'member-password'] as const

let app: ExampleApp
beforeAll(async () => {
  app = await startSharedApp({ TRUST_PROXY: '1' })
})

/** A sign-in that a proxy has passed on for this address. */
const signIn = (address: string, email: string, password = 'guess') =>
  app
    .visitor()
    .wf({ wfid: 'auth/login', input: { email, password } }, { 'x-forwarded-for': address })

interface Attack {
  readonly address: (index: number) => string
  readonly account: (index: number) => string
}

/** Sends them all, and resolves when the first of them is sent away: by then all others wait. */
async function begin({ address, account }: Attack) {
  let tried = 0
  let crowded: () => void = () => undefined
  const isCrowded = new Promise<void>(resolve => {
    crowded = resolve
  })
  const answers = Promise.all(
    Array.from({ length: ATTACKS }, async (_, index) => {
      const answer = await signIn(address(index), account(index))
      if (answer.status === 429) crowded()
      else tried++
      return answer
    }),
  )
  await Promise.race([isCrowded, answers])
  return { answers, tried: () => tried }
}

/** An honest sign-in, and how long it took. */
async function honestly(address: string) {
  const begin = performance.now()
  const { body } = await signIn(address, ...MEMBER)
  expect(body.finished).toBe(true)
  return performance.now() - begin
}

async function median(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < count; index++) times.push(await measure())
  return times.toSorted((one, other) => one - other)[Math.floor(count / 2)]!
}

describe('an honest sign-in', () => {
  it.each<[string, Attack]>([
    [
      'one address tries many accounts',
      { address: () => '203.0.113.1', account: index => `sprayed-${index}@example.com` },
    ],
    [
      'one IPv6 network tries many accounts',
      {
        address: index => `2001:db8::${index + 1}`,
        account: index => `sprayed-v6-${index}@example.com`,
      },
    ],
    [
      'many addresses try one account',
      { address: index => `203.0.113.${100 + index}`, account: () => 'victim@example.com' },
    ],
  ])('waits for the turns under way, and for no more, while %s', async (_, attack) => {
    const alone = await median(3, () => honestly('198.51.100.1'))
    const { answers, tried } = await begin(attack)
    const before = tried()
    const meanwhile = await honestly('198.51.100.2')
    // Two were at work, and one or two may have begun while the request was on its way.
    expect(tried() - before).toBeLessThanOrEqual(4)
    // Alone: one hash. Behind all that wait: half as many.
    expect(meanwhile / alone).toBeLessThan(8)
    const refused = (await answers).filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(ATTACKS / 2)
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5')
  })
})

describe('a sign-in that is sent away', () => {
  it('does not count as a try', async () => {
    const before = await counters()
    const attack = { address: () => '203.0.113.2', account: (at: number) => `${at}@example.com` }
    const { answers, tried } = await begin(attack)
    await answers
    expect(tried()).toBeLessThan(ATTACKS / 2)
    // One for the address, and two for each account that was tried.
    expect((await counters()) - before).toBe(1 + 2 * tried())
  })
})

/** How many counters of attempts there are. */
async function counters(): Promise<number> {
  const space = openSqlite(`${app.dataDir}/app.db`)
  const count = await space.table(WfLedgerRow).count({ filter: { kind: 'attempts' } })
  await space.close()
  return count
}
