// What steps did, written to a file, which keeps it when their process is killed. A step that begins says
// for how long its process has not spoken to the database of its run: until `leaseMs`, no other may have it.
import { appendFileSync } from 'node:fs'
import { useWfStep } from '@atscript/moost-wf'

export class StepNotes {
  #file
  #node
  #now
  #spoken = new Map()

  /** @param now the machine's clock, whatever its process takes for the time */
  constructor(file, node, now) {
    this.#file = file
    this.#node = node
    this.#now = now
  }

  /** The same runs, noting when their process last said that it has one. */
  watching(runs) {
    for (const method of ['begin', 'claim', 'renew', 'commit']) {
      const former = runs[method].bind(runs)
      runs[method] = async (run, ...rest) => {
        const at = performance.now()
        const done = await former(run, ...rest)
        const { flowId } = run.run ?? run
        if (done) this.#speak(flowId, at, method === 'claim' || method === 'begin')
        return done
      }
    }
    return runs
  }

  /** Notes that a step begins, and gives back what notes its end. */
  begin(step, more = {}) {
    const { idempotencyKey: key, attempt } = useWfStep()
    const [flowId] = key.split(':')
    const about = { flowId, key, step, attempt, node: this.#node, ...more }
    // A run that is written nowhere yet is nobody else's.
    const claim = this.#spoken.get(flowId) ?? { last: Infinity, longest: 0 }
    const silentMs = () => Math.max(0, performance.now() - claim.last)
    this.#write({ ...about, what: 'begin', silentMs: silentMs() })
    return () =>
      this.#write({ ...about, what: 'end', silentMs: Math.max(claim.longest, silentMs()) })
  }

  #speak(flowId, at, isNew) {
    const former = isNew ? undefined : this.#spoken.get(flowId)
    const claim = former ?? { last: at, longest: 0 }
    claim.longest = Math.max(claim.longest, at - claim.last)
    claim.last = at
    this.#spoken.set(flowId, claim)
  }

  #write(note) {
    appendFileSync(this.#file, `${JSON.stringify({ ...note, at: this.#now() })}\n`)
  }
}
