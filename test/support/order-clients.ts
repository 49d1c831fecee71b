import { setTimeout as pause } from 'node:timers/promises'
import { vi } from 'vitest'
import type { DurableServer, ServerAnswer } from './durable-servers'

const THINK_MS = 20

/** An order that somebody has begun, and what they know of it. */
export interface ClientOrder {
  readonly order: string
  token: string
  /** The run has ended, as far as they were told. */
  isOver: boolean
  /** What they were told that it has ended with. */
  told?: number | undefined
}

/** Those who use the servers: they start jobs and orders, answer, and try again with another answer. */
export class OrderClients {
  readonly orders: ClientOrder[] = []
  /** Flow ids of jobs that were accepted. */
  readonly jobs: string[] = []
  /** How often a server could do nothing for them. */
  failures = 0
  #count = 0
  #answers = 0
  #isStopped = false
  readonly #answered = new Set<DurableServer>()

  /** Keeps a server busy until it is dead: starts jobs and orders, and answers. */
  async use(server: DurableServer): Promise<void> {
    let isAlive = true
    while (isAlive && !this.#isStopped) {
      isAlive = await this.#act(server)
      if (isAlive) this.#answered.add(server)
      await pause(Math.random() * THINK_MS)
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  /** A server that has just started is slow: what is killed should be at work. */
  async haveBeenAnswered(server: DurableServer): Promise<void> {
    await vi.waitUntil(() => this.#answered.has(server), { timeout: 30_000, interval: 5 })
  }

  #act(server: DurableServer): Promise<boolean> {
    const dice = Math.random()
    const open = this.pick()
    if (dice < 0.3) return this.startJob(server)
    return dice < 0.6 || !open ? this.startOrder(server) : this.answer(server, open)
  }

  /** @returns whether there was an answer, as of all of these */
  async startJob(server: DurableServer, { isForAnyone = false } = {}): Promise<boolean> {
    const answer = await this.#send(server, 'start', { order: `job ${++this.#count}`, isForAnyone })
    const { flowId } = answer?.body ?? {}
    if (flowId !== undefined) this.jobs.push(flowId)
    return answer !== null
  }

  /** Starts many, which become due at the same moment and are nobody's. */
  async startJobs(server: DurableServer, count: number): Promise<void> {
    const orders = Array.from({ length: count }, () => `job ${++this.#count}`)
    const answer = await this.#send(server, 'start-all', { orders })
    this.jobs.push(...(answer?.body.flowIds ?? []))
  }

  async startOrder(server: DurableServer): Promise<boolean> {
    const order = `order ${++this.#count}`
    const answer = await this.#send(server, 'wf', { wfid: 'shop/order', input: { order } })
    const { wfs } = answer?.body ?? {}
    if (wfs !== undefined) this.orders.push({ order, token: wfs, isOver: false })
    return answer !== null
  }

  /** Each try brings another answer: the first one that was accepted is the one that counts. */
  async answer(server: DurableServer, order: ClientOrder): Promise<boolean> {
    const input = { answer: ++this.#answers }
    const told = await this.#send(server, 'wf', { wfs: order.token, input })
    if (told) note(order, told)
    return told !== null
  }

  async #send(server: DurableServer, ...asked: Parameters<DurableServer['send']>) {
    const answer = await server.send(...asked)
    if ((answer?.status ?? 500) >= 500) this.failures++
    return answer
  }

  /** One of those that have not ended. */
  pick(): ClientOrder | undefined {
    const open = this.open()
    return open[Math.floor(Math.random() * open.length)]
  }

  open(): ClientOrder[] {
    return this.orders.filter(({ isOver }) => !isOver)
  }
}

function note(order: ClientOrder, { body }: ServerAnswer): void {
  if (body.finished) order.told = body.data?.answer
  // Another request of theirs has ended it, or recovery has.
  if (body.finished || body.error?.code === 'WF_USED') order.isOver = true
}
