import type { WfTriggerDeps } from '../../run'
import { asEnvelope } from '../answer/envelope'
import { handle } from '../handle-outlet-request'
import type { WfOutletConfig } from '../outlet-config'
import { type Door, webhookDoor, type WfWebhookOptions } from './webhook-door'

const doors = new WeakMap<WfWebhookOptions, Door>()

/**
 * Takes answers from another system: what it posts is what a form would post, `{ wfs, input, action? }`, signed
 * as the Standard Webhooks specification says. It goes on by the same claim as a person's answer. The
 * endpoint needs a ledger. Mount it for POST, apart from the one that browsers use.
 *
 * @throws WfError `WF_CONFIG` for a wrong configuration; everything else is an answer
 *
 * @example
 * ```ts
 * import { handleWebhookRequest, type MoostWf, type WfOutletConfig } from '@atscript/moost-wf'
 *
 * const webhook = { secret: process.env.WEBHOOK_SECRET ?? '' }
 *
 * export const handle = (config: WfOutletConfig, wf: MoostWf) =>
 *   handleWebhookRequest(config, wf, webhook)
 * ```
 */
export function handleWebhookRequest<const N extends string>(
  config: WfOutletConfig<N>,
  deps: WfTriggerDeps,
  options: WfWebhookOptions,
): Promise<unknown> {
  const door = doors.get(options) ?? webhookDoor(options)
  doors.set(options, door)
  return handle(config as WfOutletConfig, deps, asEnvelope, door)
}
