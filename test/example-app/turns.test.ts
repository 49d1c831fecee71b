import { describe, expect, it } from 'vitest'
import { type Asker, FairOrder } from '../../example-app/src/accounts/fair-order'
import { Turns, type TurnsOptions } from '../../example-app/src/accounts/turns'

const OPTIONS = { atOnce: 1, waitingPerAddress: 20, waitingPerAccount: 10, waitingInAll: 60 }

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const asker = (address: string, account: string): Asker => ({ address, account })

/** All of one address, at as many accounts. */
const sprayed = (count: number) => times(count, index => asker('spray', `victim ${index}`))
/** All at one account, from as many addresses. */
const botnet = (count: number) => times(count, index => asker(`bot ${index}`, 'the victim'))
/** All of one address, at one account. */
const hammer = (count: number) => times(count, () => asker('hammer', 'the victim'))

const nameOf = ({ address, account }: Asker) => `${address} at ${account}`

/** Who got a turn, in order, and who was sent away, when all of them come at once. */
async function serve(askers: readonly Asker[], options: Partial<TurnsOptions> = {}) {
  const turns = new Turns({ ...OPTIONS, ...options })
  const served: string[] = []
  const left: string[] = []
  await Promise.all(
    askers.map(one =>
      turns
        .run(one, async () => void served.push(nameOf(one)))
        .catch(() => void left.push(nameOf(one))),
    ),
  )
  return { served, left }
}

describe('turns', () => {
  it('let a few work at once, and the next one when one of them is done, or has failed', async () => {
    const turns = new Turns({ ...OPTIONS, atOnce: 2 })
    const ends: (() => void)[] = []
    const work = () => new Promise<void>(resolve => ends.push(resolve))
    const all = times(3, index => turns.run(asker('a', `${index}`), work))
    await Promise.resolve()
    expect(ends).toHaveLength(2)
    ends[0]!()
    await all[0]
    await expect.poll(() => ends).toHaveLength(3)
    for (const end of ends) end()
    await Promise.all(all)
    const failing = turns.run(asker('a', 'b'), () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await turns.run(asker('a', 'b'), async () => 'next')).toBe('next')
  })

  it.each([
    ['one address tries many accounts', sprayed(15)],
    ['many addresses try one account', botnet(9)],
    ['one address tries one account', hammer(9)],
    ['they all do', [...sprayed(15), ...botnet(9)]],
  ])('are fair when %s', async (_, attackers) => {
    const honest = [asker('home', 'ada'), asker('office', 'max')]
    const { served, left } = await serve([...attackers, ...honest])
    expect(left).toEqual([])
    for (const one of honest) {
      // One was at work already, and there are two who have had no turn yet.
      expect(served.indexOf(nameOf(one)), nameOf(one)).toBeLessThanOrEqual(3)
    }
  })

  it('come to the owner of an account before the address that hammers at it', async () => {
    const owner = asker('home', 'the victim')
    const { served } = await serve([...hammer(9), owner])
    expect(served.indexOf(nameOf(owner))).toBe(1)
  })

  it('are as many for one who asks for three as for each of three who ask', async () => {
    const { served } = await serve([
      ...times(3, index => asker('a', `a${index}`)),
      ...times(3, index => asker('b', `b${index}`)),
    ])
    expect(served.map(name => name[0])).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('are not put off for ever by those who come new', async () => {
    const turns = new Turns(OPTIONS)
    const served: string[] = []
    const ask = (address: string, account: string, then?: () => void) =>
      turns.run(asker(address, account), async () => {
        served.push(address)
        then?.()
      })
    const all: Promise<void>[] = []
    const stream = (index: number) => {
      if (index < 100) all.push(ask(`new ${index}`, `new ${index}`, () => stream(index + 2)))
    }
    stream(0)
    stream(1)
    all.push(ask('patient', 'one'), ask('patient', 'two'))
    await expect.poll(() => served.filter(name => name === 'patient')).toHaveLength(2)
    expect(served.lastIndexOf('patient')).toBeLessThan(20)
    await Promise.all(all)
  })

  it('are refused at once to what is too much of one address, or for one account', async () => {
    for (const attackers of [sprayed(60), botnet(60), hammer(60)]) {
      const honest = asker('home', 'ada')
      const { served, left } = await serve([...attackers, honest])
      expect(served).toContain(nameOf(honest))
      const most = attackers[0]?.address === 'spray' ? 20 : 10
      // One of them was at work.
      expect(served).toHaveLength(1 + most + 1)
      expect(left).toHaveLength(60 - 1 - most)
    }
  })

  it('make room for the owner of an account that one address hammers at', async () => {
    const owner = asker('home', 'the victim')
    const { served } = await serve([...hammer(60), owner])
    expect(served).toContain(nameOf(owner))
  })

  it('make room, when the waiting room is full, by sending away who is there most often', async () => {
    const crowd = [0, 1, 2, 3].flatMap(part =>
      times(20, index => asker(`spray ${part}`, `victim ${part}.${index}`)),
    )
    const honest = times(10, index => asker(`home ${index}`, `user ${index}`))
    const { served, left } = await serve([...crowd, ...honest])
    expect(left).toHaveLength(crowd.length + honest.length - 1 - OPTIONS.waitingInAll)
    for (const one of honest) expect(served).toContain(nameOf(one))
  })
})

describe('the order of turns', () => {
  it('remembers those who are here, and no others', () => {
    const order = new FairOrder()
    const first = asker('a', 'one')
    const second = asker('b', 'two')
    order.count(first)
    order.keep([first, second])
    expect(order.next([first, second])).toBe(second)
    order.keep([])
    expect(order.next([first, second])).toBe(first)
    expect(order.next([])).toBeUndefined()
  })
})
