// What is run on every runtime: the files that vitest runs on Node, and checks between runtimes.

/**
 * Each with the name that the command line takes, and the row of the table. What is driven runs in no bundle: a
 * runtime has a method for it.
 */
export const SUITES = [
  conformance('strategies', 'State strategies'),
  onDatabases('stores', 'State stores, and handles on them'),
  onDatabases('ledgers', 'Ledgers'),
  onDatabases('guarded-strategies', 'Tokens with a replay guard'),
  onDatabases('run-stores', 'Run stores'),
  onDatabases('durable-strategies', 'Durable strategies'),
  { ...check('tables', 'Tables'), isOnDatabases: true },
  { ...check('racers', 'Racers for one handle'), isOnDatabases: true },
  check('tokens', 'Tokens that other runtimes have sealed'),
  check('orders', 'Flows that other runtimes have begun'),
  { name: 'crowd', title: 'Many requests at once, in one Worker', isDriven: true },
  { name: 'example', title: 'The example of the README, over HTTP', isDriven: true },
]

function conformance(name, title) {
  return { name, title, file: `test/conformance/${name}.test.ts` }
}

/** It has a row for each of them. */
function onDatabases(name, title) {
  return { ...conformance(name, title), isOnDatabases: true }
}

function check(name, title) {
  return { name, title, file: `test/runtimes/checks/${name}.check.ts` }
}
