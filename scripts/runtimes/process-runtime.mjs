import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundleFor } from './bundle.mjs'
import { exampleProject, exchangesWith } from './example.mjs'
import { freePort } from './free-port.mjs'

/** Longer than any suite takes: what hangs is ended, and said. */
const PATIENCE_MS = 300_000
const START_MS = 30_000
const KEPT_LINES = 20

/** Node, Bun, Deno: a process each time. */
export class ProcessRuntime {
  #command
  #entry
  #runsDecorators

  /**
   * @param command which runs a file
   * @param options those of `bundleFor`; `runsDecorators` says that it takes TypeScript with decorators
   */
  constructor(command, { runsDecorators = false, suites }) {
    this.#command = command
    this.#entry = bundleFor('process', { suites })
    this.#runsDecorators = runsDecorators
  }

  /**
   * Has a job done.
   *
   * @param report called with what it says, as it says it
   * @throws a sentence when it ends before it has said all
   */
  async run(job, report) {
    const child = this.#spawn([await this.#entry, JSON.stringify(job)], { timeout: PATIENCE_MS })
    const closed = once(child, 'close')
    const noise = keepLast(child.stderr)
    let isDone = false
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'done') isDone = true
      else if (line.startsWith('{"')) report(JSON.parse(line))
    }
    const [code, signal] = await closed
    if (isDone && code === 0) return
    throw new Error([`It ended too early (${signal ?? `exit code ${code}`}).`, ...noise].join('\n'))
  }

  /** Runs the example of the README, and asks what the README asks. */
  async example() {
    const cwd = exampleProject()
    if (this.#runsDecorators) {
      return [
        ...(await this.#serve('as it is written', cwd, 'main.ts')),
        ...(await this.#serve('compiled', cwd, 'main.mjs')),
      ]
    }
    const excuse = 'it takes types away, and leaves decorators'
    return [
      { path: [`as it is written (skipped: ${excuse})`], state: 'excused' },
      ...(await this.#serve('compiled', cwd, 'main.mjs')),
    ]
  }

  async #serve(how, cwd, file) {
    const port = await freePort()
    const child = this.#spawn([file], { cwd, env: { PORT: String(port) } })
    const closed = once(child, 'close')
    const noise = keepLast(child.stderr)
    keepLast(child.stdout)
    const origin = `http://127.0.0.1:${port}`
    try {
      if (!(await answers(origin, child))) {
        const error = ['It does not answer.', ...noise].join('\n')
        return [{ path: [`${how}: it starts`], state: 'failed', error }]
      }
      return await exchangesWith(origin, fetch, how)
    } finally {
      child.kill()
      await closed
    }
  }

  #spawn(args, { env, ...options }) {
    const [file, ...first] = this.#command
    return spawn(file, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', ...env },
      ...options,
    })
  }

  async close() {}
}

/** The last lines of what nobody waits for. */
function keepLast(stream) {
  const lines = []
  const keep = line => lines.push(line) > KEPT_LINES && lines.shift()
  createInterface({ input: stream }).on('line', keep)
  return lines
}

async function answers(origin, child) {
  const end = performance.now() + START_MS
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(origin).catch(() => null)
    if (answer) return true
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return false
}
