import {
  outletEmail,
  WfLedgerMemory,
  type WfOutlet,
  type WfOutletRequest,
} from '@atscript/moost-wf'
import type { WfRunnerConfig, WfSentResult } from '@atscript/moost-wf/run'
import type { DurableStateStrategyOptions } from '@atscript/moost-wf/strategies'
import { openDurableApp } from './durable-app'
import type { SharedRuns } from './run-stores'

export const ADA = 'ada@example.com'

/** What an outlet was given. */
export interface Attempt {
  readonly token: string
  readonly target: string | undefined
  readonly messageId: string | undefined
  readonly code: string | undefined
  readonly context: unknown
  readonly reminder: number | undefined
}

interface OutboxAppOptions {
  readonly strategy?: Partial<DurableStateStrategyOptions>
  readonly config?: Partial<WfRunnerConfig>
  /** What the message says beside its text. */
  readonly link?: Partial<WfOutletRequest>
}

/** A process whose workflow `shop/order` asks Ada by a message. Nothing is sent by itself. */
export async function openOutboxApp(
  shared: SharedRuns,
  { strategy, config, link }: OutboxAppOptions = {},
) {
  const { clock } = shared
  const attempts: Attempt[] = []
  const post = {
    /** Called for each attempt; what it throws is what goes wrong. */
    carry: async (_attempt: Attempt): Promise<void> => {},
  }
  const outlet: WfOutlet = {
    name: 'email',
    tokenDelivery: 'out-of-band',
    async deliver({ target, context, reminder }, token, { messageId, code } = {}) {
      const attempt = { token, target, messageId, code, context, reminder }
      attempts.push(attempt)
      await post.carry(attempt)
    },
  }
  const ledger = new WfLedgerMemory({ clock })
  const all = { outlets: [outlet], ledger, ...config }
  const app = await openDurableApp(shared, { strategy: strategy ?? {}, config: all })
  app.deeds.ask = (ctx, input) => {
    if (!input?.name) return outletEmail(ADA, 'ask', { why: 'because' }, link)
    ctx.name = input.name as string
  }
  const { api, runner } = app
  const messages = (flowId: string | undefined) => api.messages(flowId!)
  return {
    ...app,
    ...shared,
    post,
    attempts,
    ledger,
    messages,
    start: async () => (await runner.start('shop/order')) as WfSentResult & { flowId: string },
    answer: (token: string) => runner.resume(token, { input: { name: 'Ada' } }),
    /** Lets time pass, and then does what is due. */
    wait: (ms: number) => {
      clock.advance(ms)
      return api.runDue()
    },
    /** Lets time pass until the only message is due, and then tries to deliver it. */
    async retry(flowId: string) {
      const [message] = await messages(flowId)
      clock.advance(Math.max(0, message!.nextAttemptAt! - clock.now()))
      return api.runDue()
    },
  }
}
