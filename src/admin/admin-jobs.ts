import type { Clock } from '../state'
import { AdminRefusal } from './admin-refusal'
import type { WfAdminRunDeed } from './runs/run-deeds'

/** A heal, a cleanup, or what is done with many runs, and how far it has come. */
export interface WfAdminJob {
  readonly id: string
  readonly kind: 'heal' | 'cleanup' | WfAdminRunDeed
  readonly state: 'running' | 'done' | 'failed'
  readonly scanned: number
  readonly changed: number
  /** Rows that hold no workflow state, which were left alone. */
  readonly damaged: number
  /** Runs that had moved on, or could not be changed any more, and were left alone. */
  readonly skipped: number
  /** How many rows there are to go through; `null` until they are counted. */
  readonly total: number | null
  readonly startedAt: number
  readonly finishedAt: number | null
  /** Why it has failed. */
  readonly message: string | null
}

type Progress = Partial<Pick<WfAdminJob, 'scanned' | 'changed' | 'damaged' | 'skipped' | 'total'>>

/** Does the work, and tells how far it has come. */
export type JobWork = (report: (progress: Progress) => void) => Promise<unknown>

const KEPT = 20

/** The jobs of this process, in memory. */
export class AdminJobs {
  readonly #jobs = new Map<string, WfAdminJob>()

  constructor(private readonly clock: Clock) {}

  /** @throws AdminRefusal 409 while one of this kind is running */
  start(kind: WfAdminJob['kind'], work: JobWork, onError: (error: unknown) => void): WfAdminJob {
    const running = this.list().find(job => job.kind === kind && job.state === 'running')
    if (running) {
      const message = 'Such a job is running already.'
      throw new AdminRefusal(409, 'WF_BUSY', message, { job: running.id })
    }
    const job: WfAdminJob = {
      id: crypto.randomUUID(),
      kind,
      state: 'running',
      scanned: 0,
      changed: 0,
      damaged: 0,
      skipped: 0,
      total: null,
      startedAt: Math.floor(this.clock.now()),
      finishedAt: null,
      message: null,
    }
    this.#jobs.set(job.id, job)
    this.#forgetOldest()
    void this.#run(job.id, work, onError)
    return job
  }

  find(id: string): WfAdminJob | undefined {
    return this.#jobs.get(id)
  }

  /** The newest first. */
  list(): WfAdminJob[] {
    return [...this.#jobs.values()].toReversed()
  }

  async #run(id: string, work: JobWork, onError: (error: unknown) => void): Promise<void> {
    try {
      await work(progress => this.#update(id, progress))
      this.#finish(id, { state: 'done' })
    } catch (error) {
      this.#finish(id, { state: 'failed', message: 'It failed half way. The log says why.' })
      onError(error)
    }
  }

  #finish(id: string, end: Pick<WfAdminJob, 'state'> & Partial<WfAdminJob>): void {
    this.#update(id, { ...end, finishedAt: Math.floor(this.clock.now()) })
  }

  #update(id: string, change: Partial<WfAdminJob>): void {
    const job = this.#jobs.get(id)
    if (job) this.#jobs.set(id, { ...job, ...change })
  }

  /** At most one of each kind is running, and those are the newest of their kind. */
  #forgetOldest(): void {
    for (const { id, state } of this.#jobs.values()) {
      if (this.#jobs.size <= KEPT) return
      if (state !== 'running') this.#jobs.delete(id)
    }
  }
}
