import { createWfRuns, type MoostWf, type WfRuns } from '@atscript/moost-wf'
import type { WfEndpoint } from '../api/wf-endpoint'
import type { RunMessage } from '../worker-env'

interface RunQueue {
  send(message: RunMessage): Promise<unknown>
}

/** What an answer may take behind it: Workers allow 30 seconds. */
const BEHIND_AN_ANSWER_MS = 20_000

/**
 * Runs that go on without a request. Each event has its own view of them: what an event awaits ends with
 * that event, and another one would wait for it for ever.
 */
export class LongWork {
  constructor(
    private readonly endpoint: WfEndpoint,
    private readonly wf: MoostWf,
    private readonly queue: RunQueue,
    private readonly budgetMs: number,
  ) {}

  /** Starts a run that the queue goes on with. It is there when this returns. */
  async start(wfid: string, context: object) {
    // Sent here and waited for: what goes on behind an answer may be cut off.
    const started = await this.#runs(() => {}).start(wfid, { context })
    await this.handOn(started.flowId)
    return started
  }

  /** Goes on with a run until its time is over. */
  execute(flowId: string): Promise<{ readonly done: boolean }> {
    return this.#runs().execute(flowId, { budgetMs: this.budgetMs })
  }

  async handOn(flowId: string): Promise<void> {
    await this.queue.send({ flowId })
  }

  /** Hands what is due to the queue, and sends the mails that wait. */
  async doDue(): Promise<void> {
    await this.#runs().runDue({ budgetMs: this.budgetMs })
  }

  /** Sends the mails that wait, behind an answer that may have written one. Runs are for the cron trigger. */
  async sendMessages(): Promise<void> {
    await this.#runs(() => {}).runDue({ budgetMs: BEHIND_AN_ANSWER_MS })
  }

  #runs(send: (flowId: string) => unknown = flowId => this.handOn(flowId)): WfRuns {
    return createWfRuns({ ...this.endpoint.runs, worker: false, queue: { send } }, this.wf)
  }
}
