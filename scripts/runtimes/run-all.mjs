import { countsOf, inWords } from './results.mjs'

const SHOWN_FAILURES = 5

/**
 * Runs suites on runtimes, one after the other, and says how it goes.
 *
 * @param provided what the suites are given
 * @param results where everything is kept
 */
export async function runAll(runtimes, suites, provided, results) {
  const opened = await openAll(runtimes, suites, provided, results)
  try {
    const gifts = await giftsOf(opened, provided, results)
    for (const { name, runtime, suites } of opened) {
      await runOn(name, runtime, suites, { ...provided, name, gifts }, results)
    }
  } finally {
    await Promise.all(opened.map(({ runtime }) => runtime.close()))
  }
}

/** Fetches them first: what cannot be had is said before anything runs. */
async function openAll(runtimes, suites, { sharedUrl }, results) {
  const opened = []
  for (const { name, title, open, only } of runtimes) {
    results.begin(name, title)
    const own = suites.filter(suite => !only || only.includes(suite.name))
    await attempt(name, own.map(nameOf), results, () => {
      opened.push({ name, suites: own, runtime: open({ sharedUrl }) })
    })
  }
  return opened
}

/** What each leaves for all of them. */
async function giftsOf(opened, provided, results) {
  const gifts = {}
  const names = opened.map(({ name }) => name)
  for (const { name, runtime } of opened) {
    console.log(`${name}: seals tokens and begins flows for the others`)
    const job = { suites: [], gifts: names, provided }
    await attempt(name, ['gifts'], results, () =>
      runtime.run(job, report => {
        if (report.gifts) gifts[name] = report.gifts
        else results.add(name, report)
      }),
    )
  }
  return gifts
}

async function runOn(name, runtime, suites, provided, results) {
  const bundled = suites.filter(({ isDriven }) => !isDriven).map(nameOf)
  const waiting = new Set(bundled)
  let began = performance.now()
  const take = ({ suite, cases }) => {
    if (!suite) return
    results.add(name, { suite, cases })
    waiting.delete(suite)
    if (cases.length === 0) results.fail(name, suite, 'It has no cases.')
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    began = performance.now()
    console.log(`${name}: ${suite}: ${inWords(countsOf(cases))} in ${seconds} s`)
    showFailures(cases)
  }
  const job = { suites: bundled, provided }
  if (bundled.length > 0) await attempt(name, waiting, results, () => runtime.run(job, take))
  const driven = suites.filter(({ isDriven, name }) => isDriven && runtime[name])
  for (const suite of driven.map(nameOf)) {
    began = performance.now()
    await attempt(name, [suite], results, async () => {
      take({ suite, cases: await runtime[suite]() })
    })
  }
}

const nameOf = ({ name }) => name

/** What goes wrong outside of the cases fails the suites that it has prevented. */
async function attempt(name, prevented, results, work) {
  try {
    await work()
  } catch (error) {
    console.error(`${name}: ${error.message}`)
    for (const suite of prevented) results.fail(name, suite, error.message)
  }
}

function showFailures(cases) {
  const failures = cases.filter(({ state }) => state === 'failed')
  for (const { path, error } of failures.slice(0, SHOWN_FAILURES)) {
    console.error(`  FAILED ${path.join(' > ')}\n    ${error.replaceAll('\n', '\n    ')}`)
  }
  const more = failures.length - SHOWN_FAILURES
  if (more > 0) console.error(`  and ${more} more`)
}
