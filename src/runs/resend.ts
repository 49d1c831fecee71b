import { keepFresh, type RunConfig } from '../run'
import { formatToken, notesOf } from '../state'
import type { RunKeeper } from '../worker'
import type { WfChangeRunOptions } from './wf-runs'

/** How a message is sent again. */
export interface WfResendOptions extends Pick<WfChangeRunOptions, 'actor'> {
  /**
   * To another address, with a new link: the one that went astray is dead, and so is a code that went with it.
   * @default as before
   */
  readonly to?: string | undefined
}

/** @see WfRuns.resend */
export async function resend(
  config: RunConfig,
  { name, strategy }: RunKeeper,
  messageId: string,
  { to, actor }: WfResendOptions,
): Promise<number | null> {
  if (to === '') throw new TypeError('to is an address.')
  const resent = await strategy.messages?.resend(messageId, {
    to,
    actor,
    // Whoever gets it now can ask for a fresh one some day.
    prepare: (raw, expiresAt, next) => {
      const { fresh } = notesOf(next)?.pause ?? {}
      const plan = { audience: 'out-of-band', target: { name, strategy }, next } as const
      const token = formatToken({ name, raw })
      return keepFresh(config, { ...plan, request: { outlet: '', fresh } }, token, expiresAt)
    },
  })
  return resent?.version ?? null
}
