// What is run on every runtime: the files that vitest runs on Node, and checks between runtimes.

/**
 * Each with the name that the command line takes, and the row of the table. What is driven runs in no bundle: a
 * runtime has a method for it.
 */
export const SUITES = [
  suite('strategies', 'State strategies', 'test/conformance/strategies.test.ts'),
  suite('stores', 'State stores, and handles on them', 'test/conformance/stores.test.ts'),
  suite('ledgers', 'Ledgers', 'test/conformance/ledgers.test.ts'),
  suite(
    'guarded-strategies',
    'Tokens with a replay guard',
    'test/conformance/guarded-strategies.test.ts',
  ),
  suite('run-stores', 'Run stores', 'test/conformance/run-stores.test.ts'),
  suite('durable-strategies', 'Durable strategies', 'test/conformance/durable-strategies.test.ts'),
  suite('tables', 'Tables', 'test/runtimes/checks/tables.check.ts'),
  suite('racers', 'Racers for one handle', 'test/runtimes/checks/racers.check.ts'),
  suite('tokens', 'Tokens that other runtimes have sealed', 'test/runtimes/checks/tokens.check.ts'),
  suite('orders', 'Flows that other runtimes have begun', 'test/runtimes/checks/orders.check.ts'),
  { name: 'crowd', title: 'Many requests at once, in one Worker', isDriven: true },
  { name: 'example', title: 'The example of the README, over HTTP', isDriven: true },
]

function suite(name, title, file) {
  return { name, title, file }
}
