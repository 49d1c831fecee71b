import { SUITES } from './suites.mjs'

/** What has become of every case, by runtime. */
export class Results {
  /** By runtime: its title with its version, what it lacks, and its rows. */
  #runtimes = new Map()

  begin(name, title) {
    this.#runtimes.set(name, {
      title,
      lacks: {},
      rows: new Map(),
      failures: [],
      excuses: new Set(),
    })
  }

  /** A report of a runtime, as test/runtimes/inside/job.ts describes them. */
  add(runtime, { version, lacks, suite, cases = [] }) {
    const kept = this.#runtimes.get(runtime)
    if (version) kept.version = version
    Object.assign(kept.lacks, lacks)
    for (const one of cases) {
      const counts = at(kept.rows, rowOf(suite, one), () => ({ passed: 0, failed: 0, excused: 0 }))
      counts[one.state]++
      if (one.state === 'failed') kept.failures.push({ suite, ...one })
      const [, excuse] = /\(skipped: (.*)\)$/u.exec(one.path.at(-1)) ?? []
      if (one.state === 'excused') kept.excuses.add(excuse ?? 'no reason was given')
    }
  }

  /** What went wrong apart from any case: a runtime that cannot be had, or ends too early. */
  fail(runtime, suite, error) {
    this.add(runtime, {
      suite,
      cases: [{ path: ['(outside of its cases)'], state: 'failed', error }],
    })
  }

  get hasFailed() {
    return [...this.#runtimes.values()].some(({ failures }) => failures.length > 0)
  }

  /** A line for each runtime. */
  summary() {
    return this.runtimes.map(({ title, version, rows }) => {
      const all = { passed: 0, failed: 0, excused: 0 }
      for (const counts of rows.values()) for (const state in counts) all[state] += counts[state]
      return [`${title}${version ? ` (${version})` : ''}`, inWords(all)].join(': ')
    })
  }

  get runtimes() {
    return [...this.#runtimes.values()]
  }

  /** The titles of all rows, in the order of the suites. */
  get rows() {
    return [...new Set(this.runtimes.flatMap(({ rows }) => [...rows.keys()]))].toSorted(
      (one, other) => orderOf(one) - orderOf(other),
    )
  }
}

export function countsOf(cases) {
  const counts = { passed: 0, failed: 0, excused: 0 }
  for (const { state } of cases) counts[state]++
  return counts
}

/** `12 passed, 3 excused`. */
export function inWords(counts) {
  const named = Object.entries(counts).filter(([, count]) => count > 0)
  return named.map(([state, count]) => `${count} ${state}`).join(', ') || 'nothing to run'
}

/** A suite has a row for each database that it runs on, by the group that its cases stand in. */
function rowOf(suite, { path: [group] }) {
  const { title = suite, isOnDatabases } = SUITES.find(({ name }) => name === suite) ?? {}
  const [, engine = 'in memory'] = /^on '?(\w+)'?$/u.exec(group) ?? []
  return isOnDatabases ? `${title}: ${engine}` : title
}

const orderOf = row =>
  SUITES.findIndex(({ title }) => row === title || row.startsWith(`${title}: `))

function at(map, key, create) {
  if (!map.has(key)) map.set(key, create())
  return map.get(key)
}
