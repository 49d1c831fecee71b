/**
 * What became of a message. `dropped`: its pause was over before it could be sent. `undelivered`: nobody has
 * taken it, however often it was tried.
 */
export type WfMessageStatus = 'waiting' | 'sent' | 'undelivered' | 'dropped'

/** A message that announces a pause of a run, as its row has it. */
export interface WfRunMessage {
  /** The same for every attempt to deliver it. */
  readonly messageId: string
  readonly flowId: string
  /** The number of the event with which the pause began. */
  readonly pause: number
  /** The name of the outlet that it goes by. */
  readonly outlet: string
  readonly recipient?: string | undefined
  /** What it says, and what its link is made from, sealed. */
  readonly content: string
  readonly status: WfMessageStatus
  /** How often it was tried to deliver it. */
  readonly attempts: number
  /** The next moment at which somebody must look, in milliseconds since the epoch. */
  readonly dueAt?: number | undefined
  /** How often it was taken to be sent. */
  readonly claimSeq: number
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  /** When it was to be sent: at first, or anew. */
  readonly queuedAt: number
  /** Since when it waits no more. */
  readonly settledAt?: number | undefined
  readonly createdAt: number
}

/** A message that is written together with a run. It is due at once. */
export type WfNewRunMessage = Pick<
  WfRunMessage,
  'messageId' | 'pause' | 'outlet' | 'recipient' | 'content'
>

/**
 * Where messages wait until they are delivered. They are written with the change of the run that they
 * announce (`messages` of a change), and removed with the run.
 *
 * Whoever is about to send a message takes it, by the clock of the database and for a while; who dies
 * meanwhile leaves it to the next. Ids may come from requests: what is none stands for nothing.
 */
export interface WfRunOutbox {
  /** Messages whose moment has come, of all tenants, the one that waits for the longest first. */
  due(limit: number): Promise<readonly WfRunMessage[]>
  /** The earliest moment of all messages, if it comes within so many milliseconds by the clock of the database. */
  nextDue(withinMs: number): Promise<number | undefined>
  /** @param options.everywhere whichever tenant's it is: for whoever sends it */
  find(
    messageId: string,
    options?: { readonly everywhere?: boolean | undefined },
  ): Promise<WfRunMessage | null>
  /** All messages of a run, the oldest first. */
  of(flowId: string): Promise<readonly WfRunMessage[]>
  /**
   * Takes a message that is due, which counts as an attempt. One of any number of callers at once gets it.
   *
   * @param message as it was read
   * @param ms for how long nobody else does
   */
  claim(message: WfRunMessage, ms: number): Promise<WfRunMessage | null>
  /**
   * Says what became of a message. That it was sent may be said late: unless it was dropped, it has arrived.
   *
   * @returns `false` if another has it by now, or it was settled before
   */
  settle(
    message: WfRunMessage,
    status: Exclude<WfMessageStatus, 'waiting'>,
    lastError?: Readonly<Record<string, unknown>>,
  ): Promise<boolean>
  /**
   * Lets it be tried again later.
   *
   * @param how.isUncounted it was not tried at all
   * @returns `false` if another has it by now, or it was settled
   */
  putOff(message: WfRunMessage, ms: number, how?: WfPutOffMessage): Promise<boolean>
}

/** Why a message is tried again later. */
export interface WfPutOffMessage {
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  readonly isUncounted?: true | undefined
}
