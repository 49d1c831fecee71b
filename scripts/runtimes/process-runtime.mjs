import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundleFor } from './bundle.mjs'

/** Longer than any suite takes: what hangs is ended, and said. */
const PATIENCE_MS = 300_000
const KEPT_LINES = 20

/** Node, Bun, Deno: a process each time. */
export class ProcessRuntime {
  #command
  #entry

  /** @param options those of `bundleFor` */
  constructor(command, options) {
    this.#command = command
    this.#entry = bundleFor('process', options)
  }

  /**
   * Has a job done.
   *
   * @param report called with what it says, as it says it
   * @throws a sentence when it ends before it has said all
   */
  async run(job, report) {
    const [file, ...args] = [...this.#command, await this.#entry, JSON.stringify(job)]
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      env: { ...process.env, NO_COLOR: '1' },
    })
    const closed = once(child, 'close')
    const noise = []
    const keep = line => noise.push(line) > KEPT_LINES && noise.shift()
    createInterface({ input: child.stderr }).on('line', keep)
    let isDone = false
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'done') isDone = true
      else if (line.startsWith('{"')) report(JSON.parse(line))
      else keep(line)
    }
    const [code, signal] = await closed
    if (isDone && code === 0) return
    throw new Error([`It ended too early (${signal ?? `exit code ${code}`}).`, ...noise].join('\n'))
  }

  async close() {}
}
