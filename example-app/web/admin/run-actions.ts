import type { WfAdminRunView } from '@atscript/moost-wf/admin'
import type { AdminAction } from './admin-action'
import { cancelRun, extendRun, resendRun, retryRun } from './runs-api'

/** What an admin can do with a run as it stands. */
export function runActions(run: WfAdminRunView, canResend: boolean): AdminAction[] {
  const { status, recipient, expiresAt } = run
  const retry: AdminAction = {
    name: 'retry',
    label: 'Retry',
    title: 'Try it again?',
    confirmText: 'Try again',
    text: 'The run goes on from its last commit. The step that has failed runs again.',
    run: async () => {
      await retryRun(run)
      return 'The run goes on from its last commit.'
    },
  }
  const resend: AdminAction = {
    name: 'resend',
    label: 'Resend',
    title: 'Send a new link?',
    confirmText: 'Send it',
    text: `${recipient} gets a new mail. The link that they have stops working.`,
    run: async () => {
      await resendRun(run)
      return 'A new link is sent. The old one does not work any more.'
    },
  }
  const extend: AdminAction = {
    name: 'extend',
    label: 'Extend',
    title: 'Give it more time',
    confirmText: 'Extend',
    asks: { span: 'How long from now?' },
    run: async ({ ttlMs }) => {
      await extendRun(run, ttlMs)
      return 'The link of the run lives at least that long.'
    },
  }
  const cancel: AdminAction = {
    name: 'cancel',
    label: 'Cancel run',
    title: 'Cancel this run?',
    confirmText: 'Cancel the run',
    cancelText: 'Keep it',
    isDangerous: true,
    text: 'Its link stops working at once, and whoever works on it is told. This cannot be undone.',
    asks: 'reason',
    run: async ({ reason }) => {
      await cancelRun(run, reason)
      return 'The run is cancelled. Its link does not work any more.'
    },
  }
  const hasEnded = ['completed', 'failed', 'cancelled'].includes(status)
  return [
    ...(status === 'failed' || status === 'error' ? [retry] : []),
    ...(canResend && status === 'paused' && recipient !== null ? [resend] : []),
    ...(status === 'paused' && expiresAt !== null ? [extend] : []),
    ...(hasEnded ? [] : [cancel]),
  ]
}
