import { keepFresh, type RunConfig } from '../run'
import { formatToken, notesOf, type WfState } from '../state'
import type { RunKeeper } from '../worker'
import type { WfChangeRunOptions, WfEndRunOptions } from './wf-runs'

/** How a message is sent again. */
export interface WfResendOptions extends Pick<WfChangeRunOptions, 'actor'> {
  /**
   * To another address, with a new link: the one that went astray is dead, and so is a code that went with it.
   * @default as before
   */
  readonly to?: string | undefined
}

/** Who gets the part of somebody who is asked. */
export interface WfReassignOptions extends Pick<WfEndRunOptions, 'actor' | 'reason'> {
  /**
   * Whose part, by its id in `outletEach()`, which is their address if that was not said; the address of the only
   * one where no others are asked.
   */
  readonly from: string
  /** The address of whoever has it from now on. */
  readonly to: string
  /** Who must be signed in, where the one before had to be. @default their address */
  readonly user?: string | undefined
  /** Where their code goes, where that of the one before went elsewhere than the link. @default to their address */
  readonly codeTo?: string | undefined
}

/** @see WfRuns.resend */
export async function resend(
  config: RunConfig,
  keeper: RunKeeper,
  messageId: string,
  { to, actor }: WfResendOptions,
): Promise<number | null> {
  if (to === '') throw new TypeError('to is an address.')
  const prepare = keepingFresh(config, keeper)
  const resent = await keeper.strategy.messages?.resend(messageId, { to, actor, prepare })
  return resent?.version ?? null
}

/** @see WfRuns.reassign */
export async function reassign(
  config: RunConfig,
  keeper: RunKeeper,
  flowId: string,
  { from, to, user, codeTo, actor, reason }: WfReassignOptions,
): Promise<number | null> {
  if (typeof to !== 'string' || to === '') throw new TypeError('to is an address.')
  if (codeTo === '') throw new TypeError('codeTo is an address.')
  const prepare = keepingFresh(config, keeper)
  const how = { part: from, to, user, codeTo, actor, reason, prepare }
  const given = await keeper.strategy.messages?.reassign(flowId, how)
  return given?.version ?? null
}

/** Whoever gets a link now can ask for a fresh one some day. */
function keepingFresh(config: RunConfig, { name, strategy }: RunKeeper) {
  return (raw: string, expiresAt: number | undefined, next: WfState, seat?: string) => {
    const { fresh } = notesOf(next)?.pause ?? {}
    const request = { outlet: '', fresh }
    const plan = { audience: 'out-of-band', target: { name, strategy }, next, request } as const
    return keepFresh(config, plan, formatToken({ name, raw }), expiresAt, seat)
  }
}
