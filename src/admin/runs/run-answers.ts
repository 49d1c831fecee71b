import type { WfMessageStatus, WfRunStatus } from '../../state'
import type { WfRunView } from '../../runs'
import type { WfAdminRunDeed, WfAdminRunObstacle } from './run-deeds'
import type { WfAdminRunState } from './run-state'
import type { WfAdminTrendSpan } from './show-trends'
import type { WfAdminColumns, WfAdminFlow, WfAdminStep } from '../admin-answers'

/** The columns of runs, and what can be done with runs. */
export interface WfAdminRunColumns extends WfAdminColumns {
  /** The columns that a search looks at. */
  readonly searched: readonly string[]
  /** Whether messages can be shown as they were sent. */
  readonly canPreview: boolean
}

/** What went wrong last: codes, never messages. Its event in the history tells more. */
export interface WfAdminRunError {
  readonly code?: string | undefined
  readonly at?: number | undefined
  readonly times?: number | undefined
}

/** A durable run in a list. */
export interface WfAdminRun {
  readonly flowId: string
  readonly schemaId: string
  readonly version: number
  readonly status: WfRunStatus
  readonly state: WfAdminRunState
  readonly stepId: string | null
  /** How often the step has failed at which it stands. */
  readonly attempts: number
  readonly lastError: WfAdminRunError | null
  /** Whether somebody works on it. */
  readonly isHeld: boolean
  readonly correlationId: string | null
  readonly runKey: string | null
  readonly startedAt: number
  readonly startedBy: string | null
  readonly updatedAt: number
  readonly completedAt: number | null
  /** When the last link of its pause expires, or has; `null` for never, or while it asks nobody. */
  readonly expiresAt: number | null
  /** For how long its steps have run, in milliseconds. */
  readonly activeMs: number
  /** What the shadow columns say, by column. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Some runs, the one that was started last first. */
export interface WfAdminRunPage {
  readonly runs: readonly WfAdminRun[]
  /** Where the next page begins, if there is one. */
  readonly next: string | null
  /** How many contexts were looked at, of a search inside them. */
  readonly looked: number | null
  readonly now: number
}

/** What has happened to a run. */
export interface WfAdminRunEvent {
  readonly seq: number
  readonly type: string
  readonly stepId: string | null
  readonly at: number
  readonly actor: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** A message that is delivered behind the answer. */
export interface WfAdminQueued {
  readonly version: number
  readonly queued: true
}

/** Somebody whom a run asks. */
export interface WfAdminPerson {
  /** Names their part, whoever has it. */
  readonly id: string
  /** The address of whoever has it now. */
  readonly to: string
  /** Who must be signed in, if somebody must. */
  readonly user: string | null
  /** `answered`: what they have said counts neither for nor against. */
  readonly state: 'waiting' | 'agreed' | 'refused' | 'answered'
  readonly answeredAt: number | null
  /** Who has answered, if they were signed in. */
  readonly by: string | null
  readonly action: string | null
  /** What they have said, without secrets. */
  readonly said: unknown
  /** The link by which they can answer, which may have expired; `expiresAt` is `null` for never. */
  readonly link: {
    readonly expiresAt: number | null
    /** How often it was shown: by people, and by scanners of mails. */
    readonly opens: number
    readonly openedAt: number | null
  } | null
  /** Who had their part before, if somebody had. */
  readonly handedOn: {
    readonly from: string
    readonly at: number
    readonly by: string | null
    readonly reason: string | null
  } | null
  /** Whether it can be given to somebody else now. */
  readonly canReassign: boolean
}

/** Those whom a run asks, and where their decision stands. */
export interface WfAdminAsked {
  readonly outcome: 'open' | 'reached' | 'impossible'
  readonly agreed: number
  readonly refused: number
  readonly needed: number
  /** Each can replace their answer until it is decided. */
  readonly canChange: boolean
  readonly people: readonly WfAdminPerson[]
}

/** A message that announces a pause of a run, without what it says. */
export interface WfAdminRunMessage {
  readonly messageId: string
  /** The number of the event with which the pause began. */
  readonly pause: number
  readonly outlet: string
  readonly recipient: string | null
  readonly status: WfMessageStatus
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: WfAdminRunError | null
  readonly createdAt: number
  readonly settledAt: number | null
  /** How often its link was shown: by people, and by scanners of mails. */
  readonly opens: number
  readonly openedAt: number | null
  /** Whether somebody still waits by its link, so that it can be sent again. */
  readonly isAwaited: boolean
}

/** A message as it was sent, without its link and its code. */
export interface WfAdminMessagePreview extends Pick<
  WfAdminRunMessage,
  'messageId' | 'outlet' | 'recipient' | 'createdAt'
> {
  readonly subject: string | null
  readonly text: string | null
  /** Show it where no scripts run. */
  readonly html: string | null
}

/** A step of a run, and what its history tells of it. Steps that stand twice in a workflow are counted together. */
export interface WfAdminRunStep extends WfAdminStep {
  /** How often it was done. One that is `done` without that was skipped. */
  readonly visits: number
  readonly failures: number
}

/** A run and all that may be shown of it. */
export interface WfAdminRunView extends WfAdminRun, Pick<WfAdminFlow, 'groups'> {
  readonly now: number
  readonly steps: readonly WfAdminRunStep[]
  /** Whom the link was sent to by which it waits; `null` where several people are asked. */
  readonly recipient: string | null
  /** Those whom it asks by links of their own; `null` where it waits for nobody, or for whoever has started it. */
  readonly asked: WfAdminAsked | null
  /** How often the step was tried that has failed, and when it is tried again by itself. */
  readonly retryState: NonNullable<WfRunView['retryState']> | null
  /** Until when the pause waits, what happens then, and when somebody is reminded next. */
  readonly deadline: NonNullable<WfRunView['deadline']> | null
  /** When a run goes on that rests. */
  readonly wakeAt: number | null
  /** The name of the signal that it waits for. */
  readonly waitsFor: string | null
  readonly context: unknown
  readonly metadata: unknown
  readonly result: unknown
  /** What was written to announce its pauses, the oldest first; none without an outbox. */
  readonly messages: readonly WfAdminRunMessage[]
  /** The oldest first. */
  readonly history: readonly WfAdminRunEvent[]
}

/** How many runs there are. */
export interface WfAdminRunCounts {
  readonly now: number
  readonly total: number
  readonly byState: Readonly<Record<WfAdminRunState, number>>
  /** The most frequent first. */
  readonly byWorkflow: readonly {
    readonly schemaId: string
    readonly count: number
    /** Whether this build has it. */
    readonly known: boolean
  }[]
}

/** How many runs stand at a step that have not ended well. */
export interface WfAdminStepCounts {
  readonly live: number
  readonly error: number
  readonly expired: number
  /** When the one was changed last that has stood there for the longest; `null` if there is none. */
  readonly oldestAt: number | null
}

/** Where the runs of a workflow stand. */
export interface WfAdminRunFunnel extends Pick<WfAdminFlow, 'groups'> {
  readonly now: number
  readonly schemaId: string
  readonly steps: readonly (WfAdminStep & WfAdminStepCounts)[]
  /** At steps that this build does not have; `null` for none, before a run begins. */
  readonly elsewhere: readonly (WfAdminStepCounts & { readonly stepId: string | null })[]
}

/** What has become of runs over time. */
export interface WfAdminRunTrends {
  readonly now: number
  readonly span: WfAdminTrendSpan
  readonly bucketMs: number
  /** The oldest first; the last one is not over yet. */
  readonly buckets: readonly {
    readonly from: number
    readonly to: number
    readonly started: number
    readonly completed: number
    readonly failed: number
    readonly cancelled: number
    /** How many had begun and not ended at `to`. */
    readonly open: number
    /** How long ago the oldest of those had begun then; `null` if there was none. */
    readonly oldestMs: number | null
  }[]
}

/** What would be done with many runs. */
export interface WfAdminDeedPreview {
  readonly now: number
  readonly action: WfAdminRunDeed
  /** How many are meant. */
  readonly matched: number
  /** With how many of them it would be done. */
  readonly count: number
  /** Why the others would be left alone. */
  readonly left: readonly { readonly reason: WfAdminRunObstacle; readonly count: number }[]
  readonly byWorkflow: readonly { readonly schemaId: string; readonly count: number }[]
}

/** It goes on: `GET jobs/:id` tells how far it has come. */
export interface WfAdminDeedStarted {
  readonly job: string
  readonly count: number
}
