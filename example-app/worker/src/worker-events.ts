/** Keeps the Worker from stopping behind its answer. */
export interface EventContext {
  waitUntil(work: Promise<unknown>): void
}

export interface QueuedMessage {
  readonly body: unknown
  ack(): void
  retry(options?: { readonly delaySeconds?: number }): void
}

/** What a Worker is asked by its runtime. */
export interface WorkerHandlers {
  fetch(request: Request, env: unknown, context: EventContext): Promise<Response>
  queue(batch: { readonly messages: readonly QueuedMessage[] }): Promise<void>
  scheduled(controller: { readonly cron: string }): Promise<void>
}
