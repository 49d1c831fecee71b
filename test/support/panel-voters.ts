import { setTimeout as pause } from 'node:timers/promises'
import type { AskedPanel, PanelOutcome } from './panel-workers'
import type { RunWorker } from './run-workers'

/** What one of several people has to say, and what they were told. */
interface PanelVote {
  readonly seat: string
  readonly token: string
  readonly action: 'approve' | 'reject'
  told?: 'accepted' | 'refused'
  /** How often it was sent. */
  tries: number
}

interface VotedPanel {
  readonly flowId: string
  readonly votes: readonly PanelVote[]
}

/** At once to one process. */
const VOTERS = 3
/** For somebody who has nothing to say at the moment. */
const IDLE_MS = 5

/** People who answer, and send it again to another process until they are told what has become of it. */
export class PanelVoters {
  readonly #waiting: PanelVote[] = []
  readonly all: VotedPanel[] = []
  /** How many were told nothing, because the process was killed. */
  interrupted = 0
  /** Nobody else is to be asked. */
  #isEnough = false
  /** Nobody else will be. */
  #isComplete = false
  /** Something has happened that must not: nobody need go on. */
  #isBroken = false

  /** How many panels have somebody who was told nothing yet. */
  get undecided(): number {
    return this.all.filter(({ votes }) => votes.some(({ told }) => told === undefined)).length
  }

  /** Asks more people whenever fewer panels than that have something to say. */
  async haveEnough(panels: number, ask: () => Promise<AskedPanel>): Promise<void> {
    while (!this.#isEnough && !this.#isBroken) {
      if (this.undecided < panels) this.#add(await ask())
      else await pause(IDLE_MS)
    }
    this.#isComplete = true
  }

  #add({ flowId, tokens }: AskedPanel): void {
    const votes = [...tokens].map(([seat, token]): PanelVote => {
      const action = Math.random() < 0.7 ? 'approve' : 'reject'
      return { seat, token, action, tries: 0 }
    })
    this.all.push({ flowId, votes })
    this.#waiting.push(...votes)
  }

  /** Some of them answer by one process, until that is killed, or nobody has anything to say. */
  async use(worker: RunWorker): Promise<void> {
    await Promise.all(Array.from({ length: VOTERS }, () => this.#vote(worker)))
  }

  /** Nobody else is asked. Whoever was is told in the end. */
  stop(): void {
    this.#isEnough = true
  }

  get #isOver(): boolean {
    return this.#isBroken || (this.#isComplete && this.undecided === 0)
  }

  async #vote(worker: RunWorker): Promise<void> {
    while (!worker.isDead && !this.#isOver) {
      const at = Math.floor(Math.random() * this.#waiting.length)
      const [vote] = this.#waiting.splice(at, 1)
      if (!vote) {
        await pause(IDLE_MS)
        continue
      }
      vote.tries++
      try {
        const { token, action } = vote
        const answers = [{ token, action }]
        const [outcome] = (await worker.run('answer', { answers })) as PanelOutcome[]
        this.#hear(vote, outcome!)
      } catch (error) {
        if (!worker.isDead) {
          this.#isBroken = true
          throw error
        }
        this.interrupted++
        this.#waiting.push(vote)
      }
    }
  }

  #hear(vote: PanelVote, { kind, code }: PanelOutcome): void {
    if (kind === 'noted' || kind === 'finished') vote.told = 'accepted'
    else if (code === 'WF_USED') vote.told = 'refused'
    // A process that was slow had lost the run to another, which goes on with what was answered.
    else if (code === 'WF_BUSY' || code === 'WF_CONFLICT') this.#waiting.push(vote)
    else throw new Error(`Somebody was told ${code ?? kind}.`)
  }
}
