// The names that suites and tests import from vitest, where there is no vitest: they are its own runner and
// its own matchers, which need nothing but JavaScript.
import {
  addCustomEqualityTesters,
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  customMatchers,
  type ExpectStatic,
  getState,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  type MatcherState,
  setState,
} from '@vitest/expect'
import type { ProvidedContext } from 'vitest'
import { provided } from './provided'

export { vi } from './fake-date'
export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
} from '@vitest/runner'

export const inject = <K extends keyof ProvidedContext>(key: K): ProvidedContext[K] =>
  provided()[key]

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

type Globals = Record<PropertyKey, unknown>

/** As vitest puts its own together, without snapshots, polling and mocks. */
function createExpect(): ExpectStatic {
  const call = (value: unknown, message?: string) => {
    setState({ assertionCalls: getState(expect).assertionCalls + 1 }, expect)
    return chai.expect(value, message)
  }
  const expect = Object.assign(
    call,
    chai.expect,
    (globalThis as Globals)[ASYMMETRIC_MATCHERS_OBJECT],
    {
      getState: () => getState(expect),
      setState: (state: Partial<MatcherState>) => setState(state, expect),
      addEqualityTesters: addCustomEqualityTesters,
      unreachable: (message = 'this') => chai.assert.fail(`expected ${message} not to be reached`),
      assertions: (count: number) => setState({ expectedAssertionsNumber: count }, expect),
    },
  ) as unknown as ExpectStatic
  expect.extend = matchers => (chai.expect as unknown as Extend).extend(expect, matchers)
  ;(globalThis as Globals)[GLOBAL_EXPECT] = expect
  setState({ assertionCalls: 0, expectedAssertionsNumber: null }, expect)
  expect.extend(customMatchers)
  return expect
}

interface Extend {
  extend(expect: ExpectStatic, matchers: object): void
}

export const expect = createExpect()
