import { HttpError } from '@wooksjs/event-http'
import { formatToken, notesOf, rawTokenOf, type WfRecipient, type WfState } from '../state'
import { redactTokens } from '../run'
import type { WfAdminResent } from './admin-answers'
import { AdminRefusal, noSuchFlow } from './admin-refusal'
import type { Admin } from './admin-routes'
import { statusAt, timeOf } from './flow-status'
import { readSeenFlow } from './read-seen-flow'

/** A flow that gets a new link. */
export interface WfResend {
  /** What the new link carries. The former one is dead. It belongs into the link and nowhere else. */
  readonly token: string
  readonly schemaId: string
  /**
   * Whose turn it is, and what they were sent, whether or not they have opened it meanwhile: hand it to
   * the outlet again. Not there while the flow waits for whoever has started it, whose address it
   * does not know.
   */
  readonly recipient?: WfRecipient | undefined
  /** Where the flow waits, and the outlet that delivered the pause. */
  readonly stepId?: string | undefined
  readonly outlet?: string | undefined
  readonly flowId?: string | undefined
  readonly startedBy?: string | undefined
  readonly expiresAt?: number | undefined
  /** All of it, secrets included. */
  readonly context: unknown
}

/** Gives a flow a new link and has it sent. If that fails, the old one still works. */
export async function resendFlow(admin: Admin): Promise<WfAdminResent> {
  const { store, resend } = admin
  const { id, version, row } = await readSeenFlow(admin)
  if (!resend) throw new AdminRefusal(409, 'WF_NOT_ALLOWED', 'Links cannot be sent again here.')
  if (statusAt(timeOf(store), row) === 'expired') {
    throw new AdminRefusal(409, 'WF_CONFLICT', 'The flow has expired. Extend it first.')
  }
  const written = await store.reissueRow(id, version, async (handle, { state, expiresAt }) => {
    const flow = describeResend(handle, state, expiresAt)
    try {
      await resend(flow)
    } catch (error) {
      throw refusalOfResend(error, flow.token)
    }
  })
  if (written === null) throw noSuchFlow()
  return { version: written, sent: true }
}

function describeResend(handle: string, state: WfState, expiresAt: number | undefined): WfResend {
  const { flow, pause, position } = notesOf(state) ?? {}
  const { flowId, startedBy } = flow ?? {}
  const { strategy: name = 'default', outlet, recipient } = pause ?? {}
  const { schemaId, context } = state
  const { stepId } = position ?? {}
  const token = formatToken({ name, raw: rawTokenOf(handle, state) })
  return { token, recipient, schemaId, stepId, outlet, flowId, startedBy, expiresAt, context }
}

/** What was thrown may quote the token. */
export function refusalOfResend(error: unknown, token: string): unknown {
  const cause = redactTokens(error, [token])
  if (cause instanceof HttpError && cause.body.statusCode < 500) return cause
  const message = 'The link could not be sent. The former one still works.'
  return new AdminRefusal(502, 'WF_OUTLET_FAILED', message, {}, { cause })
}
