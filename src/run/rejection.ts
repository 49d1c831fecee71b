import { WfError, type WfErrorCode } from '../errors'
import type { WfOutletRequest } from '../outlets'
import type { WfAnswered, WfRefusalReason } from '../state'
import type { Verdict } from './explain-refusal'

/** Why a run is refused, for whoever asked for it. Codes are stable; the sentences are for people. */
const SENTENCES = {
  WF_BAD_REQUEST: 'The request could not be understood.',
  WF_UNKNOWN: 'There is no such workflow.',
  WF_NOT_ALLOWED: 'This workflow is not available here.',
  WF_MISMATCH: 'This form belongs to another workflow.',
  WF_STATE_GONE: 'This link or form is no longer valid. Please start again.',
  WF_EXPIRED: 'This link or form has expired. Please start again.',
  WF_USED: 'This link or form has been used already. Please start again.',
  WF_SUPERSEDED: 'This is out of date: you have gone on elsewhere, or were sent a newer message.',
  WF_REVOKED: 'This link or form was withdrawn. Please ask whoever sent it.',
  WF_WRONG_BROWSER: 'Please open this link in the browser in which you asked for it.',
  WF_WRONG_USER:
    'This was sent to somebody else, or you are not signed in. Please sign in as whoever it was sent to.',
  WF_CODE_NEEDED: 'To go on you need a code, which is sent to whoever this link is for.',
  WF_TOO_MANY: 'Too many of these were begun. Please try again later.',
  WF_CODE_WRONG: 'This code is not right. Please look at the message again.',
  WF_CONFLICT: 'This is under way already.',
  WF_BUSY: 'This step is being worked on already. Please try again in a moment.',
  WF_DEFINITION_CHANGED: 'This form cannot be continued at the moment. Please try again later.',
  WF_OUTLET_FAILED: 'The message could not be sent. Please try again.',
  WF_REQUEST_CHANGED: 'This was sent before with another content. Please send it anew.',
  WF_CONTENT_REFUSED:
    'This cannot be stored as it is. Please change what you have entered, or ask whoever runs this site.',
  WF_FINISHED: 'This has been done already. If something is missing, please start again.',
} as const satisfies Partial<Record<WfErrorCode, string>>

/** The codes of a {@link Rejection}. */
export type RejectionCode = keyof typeof SENTENCES

/** A pause of the caller's, as it was shown. */
export interface CurrentPause {
  readonly token: string
  readonly request: WfOutletRequest
}

export interface RejectionDetails {
  readonly reason?: WfRefusalReason
  /** When the same may be asked again. */
  readonly retryAfterSeconds?: number
  /** The workflow that can be started anew. */
  readonly restart?: { readonly wfid: string; readonly carriesOver?: true }
  /** Where the flow of an older page is now, for the page to go on there. */
  readonly current?: CurrentPause
  /** The form of a link was answered, and what others may know of that. */
  readonly answered?: WfAnswered | undefined
  /** A link can be sent anew to whoever had this one. */
  readonly fresh?: true | undefined
  /** How many more codes may be tried. */
  readonly triesLeft?: number | undefined
  readonly message?: string | undefined
  readonly cause?: unknown
}

/** A run that is refused. Thrown by the stages, caught once at the top. */
export class Rejection<C extends WfErrorCode = RejectionCode> extends WfError {
  readonly details: RejectionDetails

  constructor(code: C, details: RejectionDetails = {}) {
    const sentence = details.message ?? SENTENCES[code as RejectionCode]
    super(code, sentence, { cause: details.cause })
    this.details = details
  }
}

const CODE_OF: Readonly<Record<WfRefusalReason, RejectionCode>> = {
  garbled: 'WF_STATE_GONE',
  gone: 'WF_STATE_GONE',
  expired: 'WF_STATE_GONE',
  used: 'WF_STATE_GONE',
  superseded: 'WF_STATE_GONE',
  revoked: 'WF_STATE_GONE',
  'wrong-browser': 'WF_WRONG_BROWSER',
  'wrong-user': 'WF_WRONG_USER',
  'code-needed': 'WF_CODE_NEEDED',
  busy: 'WF_BUSY',
  // Told where it can be: that it is under way.
  retrying: 'WF_BUSY',
  taken: 'WF_CONFLICT',
  'not-allowed': 'WF_NOT_ALLOWED',
  mismatch: 'WF_MISMATCH',
  'definition-changed': 'WF_DEFINITION_CHANGED',
  // Not told to anyone: the form is shown instead.
  unanswered: 'WF_BUSY',
}

/** Whether a refused token is of no use any more, as far as the caller is told. */
export function isGone(reason: WfRefusalReason): boolean {
  return CODE_OF[reason] === 'WF_STATE_GONE'
}

/** What is told to those who have proved that they held a good token once. */
const PRECISE_CODE_OF: Partial<Record<WfRefusalReason, RejectionCode>> = {
  expired: 'WF_EXPIRED',
  used: 'WF_USED',
  superseded: 'WF_SUPERSEDED',
  revoked: 'WF_REVOKED',
}

/** The answer to a token that was refused. */
export function rejectionOf(verdict: Verdict, current?: CurrentPause): Rejection {
  const { reason, provenWfid, carriesOver, answered, fresh, triesLeft } = verdict
  const precise = provenWfid === undefined ? undefined : PRECISE_CODE_OF[reason]
  return new Rejection(precise ?? CODE_OF[reason], {
    reason,
    current,
    answered,
    fresh: fresh || undefined,
    triesLeft,
    message: answered && answeredSentence(answered),
    restart: provenWfid === undefined ? undefined : restartOf(provenWfid, carriesOver),
    retryAfterSeconds: CODE_OF[reason] === 'WF_BUSY' ? 1 : undefined,
  })
}

/** Whoever comes late has nothing to start again. */
function answeredSentence({ at, by }: WfAnswered): string {
  const who = by === undefined ? '' : ` by ${by}`
  const when = at === undefined ? '' : `, ${new Date(at).toUTCString()}`
  return `This has been answered already${who}${when}.`
}

function restartOf(wfid: string, carriesOver = false) {
  return carriesOver ? { wfid, carriesOver } : { wfid }
}
