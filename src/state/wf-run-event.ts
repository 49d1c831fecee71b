/** What can happen to a run. */
export type WfRunEventType =
  | 'workflow_created'
  | 'step_started'
  | 'step_completed'
  | 'step_failed'
  | 'workflow_completed'
  | 'workflow_failed'
  | 'started'
  | 'paused'
  | 'resumed'
  /** An answer was accepted, with which whoever takes it up goes on. */
  | 'answered'
  /** It waits at the same pause, with another state. */
  | 'stayed'
  /** A pause was undone, because it could not be delivered. */
  | 'undelivered'
  /** It needs someone who was not there when it went on by itself: it waits for whoever has a link. */
  | 'waiting'
  /** Its pause has a new link, and the former ones are dead. */
  | 'reissued'
  /** Somebody else has the part of one of those who are asked. */
  | 'reassigned'
  /** A message was to go out again. */
  | 'resent'
  /** A message has arrived. Not one of the run's own: nothing is written of the run. */
  | 'sent'
  /** A message was not sent, because its pause was over. Nor is this. */
  | 'dropped'
  /** Nobody has answered its pause in time. */
  | 'timed_out'
  /** The message of its pause has gone out again, with another link. */
  | 'reminded'
  | 'reminder_failed'
  /** It goes on by itself, later. */
  | 'delayed'
  /** Its links live longer. */
  | 'extended'
  /** It has got a signal that it had waited for. */
  | 'signalled'
  | 'cancelled'
  /** A run that has failed is tried again. */
  | 'retried'
  /** Its context was changed from outside. */
  | 'updated'
  /** It was brought here as a snapshot. */
  | 'restored'
  | 'moved_in'
  | 'moved_out'
  /** Its process had died; it went on from its last commit. */
  | 'recovered'

/** What has happened to a run. */
export interface WfRunEvent {
  readonly flowId: string
  /** Counts from 1, without gaps. */
  readonly seq: number
  readonly schemaId: string
  readonly type: WfRunEventType
  readonly stepId?: string | undefined
  readonly at: number
  readonly actor?: string | undefined
  /**
   * A change of status as `from` and `to`, a change of the context by its keys. What stands under a key
   * that looks secret is told by its digest.
   */
  readonly detail: Readonly<Record<string, unknown>>
}
