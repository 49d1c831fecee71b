/** Whoever answers gives their part to somebody else. */
export class HandOnRequest {
  constructor(
    readonly to: string,
    readonly user: string | undefined,
    readonly codeTo: string | undefined,
    readonly reason: string | undefined,
  ) {}
}

/** Who gets a part, and why. */
export interface WfHandOnOptions {
  /** Their address. */
  readonly to: string
  /** Who must be signed in, where the one before had to be. @default their address */
  readonly user?: string | undefined
  /** Where their code goes, where that of the one before went elsewhere than the link. @default to their address */
  readonly codeTo?: string | undefined
  /** Kept in the history. */
  readonly reason?: string | undefined
}

/** What a step returns to let an answer be that of somebody else. */
export interface WfHandedOnPause {
  inputRequired: HandOnRequest
}

/**
 * Gives the part of whoever answers now to somebody else: their link is dead, and the other one gets a message with a
 * link of their own. For a step that asks by `outletEach()`; check that the address may decide.
 *
 * @throws TypeError without an address, or for a user without a name
 *
 * @example
 * ```ts
 * import { handOn } from '@atscript/moost-wf'
 *
 * export const delegate = (deputy: string) => handOn({ to: deputy, reason: 'on holiday' })
 * ```
 */
export function handOn({ to, user, codeTo, reason }: WfHandOnOptions): WfHandedOnPause {
  if (typeof to !== 'string' || to === '') throw new TypeError('handOn() needs an address: to.')
  if (user !== undefined && (typeof user !== 'string' || user === '')) {
    throw new TypeError('handOn() needs the name of a user, or none.')
  }
  if (codeTo === '') throw new TypeError('handOn() needs an address for the code: codeTo.')
  return { inputRequired: new HandOnRequest(to, user, codeTo, reason) }
}
