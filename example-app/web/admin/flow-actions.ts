import type { WfAdminFlow } from '@atscript/moost-wf/admin'
import { navigate } from '../router/router'
import { exactTime } from '../time/relative-time'
import type { AdminAction } from './admin-action'
import { extendFlow, resendFlow, revokeFlow } from './admin-api'

/** What an admin can do with a flow as it stands. */
export function flowActions(flow: WfAdminFlow, canResend: boolean): AdminAction[] {
  const isSent = flow.outlet !== 'http' && flow.outlet !== null
  const resend: AdminAction = {
    name: 'resend',
    label: 'Resend',
    title: 'Send a new link?',
    confirmText: 'Send it',
    text: 'The same person gets a new mail. The link that they have stops working.',
    run: async () => {
      await resendFlow(flow)
      return 'A new link is sent. The old one does not work any more.'
    },
  }
  const extend: AdminAction = {
    name: 'extend',
    label: 'Extend',
    title: 'Give it more time',
    confirmText: 'Extend',
    asks: { span: 'How much more?' },
    run: async ({ ttlMs }) => {
      const { expiresAt } = await extendFlow(flow, ttlMs)
      return `The flow now expires ${exactTime(expiresAt)}.`
    },
  }
  const revoke: AdminAction = {
    name: 'revoke',
    label: 'Revoke',
    title: 'Revoke this flow?',
    confirmText: 'Revoke',
    isDangerous: true,
    text: 'Its link stops working at once, and what was done so far is gone. This cannot be undone.',
    run: async () => {
      await revokeFlow(flow)
      navigate('/admin', { replace: true })
      return 'The flow is revoked. Its link does not work any more.'
    },
  }
  return [
    ...(canResend && isSent ? [resend] : []),
    ...(flow.expiresAt === null ? [] : [extend]),
    revoke,
  ]
}
