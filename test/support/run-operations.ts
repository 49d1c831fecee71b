import { abortWf, outletEmail, outletHttp, useWfFinished } from '@atscript/moost-wf'
import { HttpError } from '@atscript/moost-wf/http'
import fc from 'fast-check'
import { LEASE_MS, type OrderContext } from './durable-app'

/** What must not be read in a history. */
export const HIDDEN = 'hunter2'

/** What a step does to the context, and what it comes to. */
export interface Doing {
  readonly patch: Readonly<Record<string, unknown>>
  readonly drop: readonly string[]
  readonly outcome: keyof typeof OUTCOMES
}

const OUTCOMES = {
  'goes on': () => undefined,
  asks: () => outletHttp({ ask: 'more' }),
  'asks by mail': () => outletEmail('ada@example.com', 'invite'),
  'asks by a mail that is lost': () => outletEmail('nobody@example.com', 'invite'),
  'asks again': () => outletHttp({ ask: 'again' }, undefined, { keepToken: true }),
  finishes: () => useWfFinished().set({ type: 'data', value: { ok: true, code: HIDDEN } }),
  aborts: () => abortWf('enough'),
  fails: () => {
    throw new Error(HIDDEN)
  },
  refuses: () => {
    throw new HttpError(409, 'not now')
  },
  'dies with its process': () => undefined,
} as const

/** @param die never comes back */
export function doing(
  { patch, drop, outcome }: Doing,
  die: () => Promise<never>,
): (context: OrderContext) => unknown {
  return context => {
    if (typeof context === 'object' && context !== null && !Array.isArray(context)) {
      Object.assign(context, structuredClone(patch))
      for (const key of drop) delete context[key]
    }
    return outcome === 'dies with its process' ? die() : OUTCOMES[outcome]()
  }
}

const key = fc.constantFrom('name', 'note', 'list', '', 'password', 'accessCode')
const plain = fc.constantFrom<unknown[]>(0, 1, 'text', null, [1, 2], { a: { b: 1 } }, [
  { pin: HIDDEN },
])
const valueOf = (of: string) => (/password|code/iu.test(of) ? fc.constant(HIDDEN) : plain)
const patch = fc
  .array(
    key.chain(of => fc.tuple(fc.constant(of), valueOf(of))),
    { maxLength: 2 },
  )
  .map(entries => Object.fromEntries(entries))

const stepDoing = (...outcomes: Doing['outcome'][]): fc.Arbitrary<Doing> =>
  fc.record({
    patch,
    drop: fc.array(key, { maxLength: 1 }),
    outcome: fc.constantFrom(...outcomes),
  })

const ALL = Object.keys(OUTCOMES) as Doing['outcome'][]
const doings = fc.record({
  ask: stepDoing(...ALL, 'goes on', 'goes on', 'goes on', 'asks', 'asks', 'dies with its process'),
  work: stepDoing(...ALL, 'goes on', 'goes on', 'dies with its process'),
  last: stepDoing(...ALL, 'goes on', 'goes on', 'goes on'),
})

const which = fc.nat(20)
const place = fc.oneof(
  { weight: 4, arbitrary: fc.constant('here' as const) },
  fc.constant('elsewhere' as const),
)
const of = <K extends string>(kind: K) => fc.constant(kind)
const waiting = fc.constantFrom(1, LEASE_MS, LEASE_MS)
const wholeContext = fc.oneof(patch, fc.constantFrom<unknown[]>(null, [1], 'text', {}))

/** Something that is done to a run, of which there may be several. */
export const operation = fc.oneof(
  fc.record({ kind: of('start'), place, doings, runKey: fc.constantFrom(undefined, 'k1', 'k2') }),
  fc.record({ kind: of('start by itself'), place, doings, context: wholeContext }),
  fc.record({ kind: of('move in'), place, doings }),
  { weight: 4, arbitrary: fc.record({ kind: of('answer'), place, which, doings }) },
  { weight: 3, arbitrary: fc.record({ kind: of('recover'), place, doings, afterMs: waiting }) },
  fc.record({ kind: of('wait'), ms: waiting }),
  fc.record({ kind: of('cancel'), place, which }),
  fc.record({ kind: of('extend'), place, which }),
  fc.record({ kind: of('update'), place, which, context: wholeContext }),
  fc.record({ kind: of('record'), place, which }),
  fc.record({ kind: of('retry'), place, which }),
  fc.record({ kind: of('restore'), place, which }),
)

export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const nothing = { patch: {}, drop: [] }
const all = (outcome: Doing['outcome']) => ({
  ask: { ...nothing, outcome },
  work: { ...nothing, outcome },
  last: { ...nothing, outcome },
})

/** What chance seldom brings about: a process dies with an answer, and the step asks the caller again. */
export const LOST_AND_ASKED: Operation[] = [
  { kind: 'start', place: 'here', runKey: undefined, doings: all('asks') },
  { kind: 'answer', place: 'here', which: 0, doings: all('asks again') },
  { kind: 'answer', place: 'here', which: 0, doings: all('dies with its process') },
  { kind: 'recover', place: 'here', afterMs: LEASE_MS, doings: all('asks') },
]
