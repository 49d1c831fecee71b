import type { D1Binding } from '@atscript/moost-wf/db/d1'

/** What the queue carries. */
export interface RunMessage {
  readonly flowId: string
}

/** What `wrangler.jsonc` names, and the secrets beside it. */
export interface WorkerEnv {
  readonly DB: D1Binding
  readonly QUEUE: { send(message: RunMessage): Promise<unknown> }
  readonly WF_SECRET?: string
  readonly PUBLIC_URL?: string
  readonly MAIL_URL?: string
  readonly MAIL_KEY?: string
  readonly RUN_BUDGET_MS?: string
}
