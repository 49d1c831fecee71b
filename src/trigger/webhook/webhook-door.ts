import { useHeaders, useRequest } from '@wooksjs/event-http'
import { WfError } from '../../errors'
import { createWebhookVerifier, type WfWebhookSecret } from '../../outlets'
import { sha256 } from '../../state'
import { badRequest } from '../http-rejection'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** How messages of another system are known. */
export interface WfWebhookOptions {
  /** What they are signed by; several while one is replaced. */
  readonly secret: WfWebhookSecret | readonly WfWebhookSecret[]
  /**
   * How old a message may be, in milliseconds.
   * @default 5 minutes; at most half of `replayWindow`, for which it is known again, because it may be stamped
   * as much ahead
   */
  readonly toleranceMs?: number | undefined
}

/** Who may come in, and under which name a request is known when it comes again. */
export type Door = (config: ResolvedOutletConfig) => Promise<string>

const TOLERANCE_MS = 5 * 60_000

/**
 * Lets in what was signed, a moment ago, by a secret that both sides share. The id of a message is the id of
 * its request: one that is sent again is answered as before, and does nothing twice.
 *
 * @throws WfError `WF_CONFIG`
 */
export function webhookDoor({ secret, toleranceMs = TOLERANCE_MS }: WfWebhookOptions): Door {
  const verify = createWebhookVerifier(secret)
  if (!(toleranceMs > 0)) throw new WfError('WF_CONFIG', 'toleranceMs is a positive number.')
  return async ({ ledger, clock, replayWindow }) => {
    if (!ledger) throw new WfError('WF_CONFIG', 'A webhook needs a ledger, to know it again.')
    const body = new TextDecoder().decode(await useRequest().rawBody())
    const id = await verify(
      { headers: useHeaders(), body },
      { now: clock.now(), toleranceMs: Math.min(toleranceMs, replayWindow / 2) },
    )
    if (id === undefined) throw badRequest('The message is not signed as it must be.', 401)
    return sha256(id)
  }
}
