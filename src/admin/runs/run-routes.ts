import type { AdminRoute } from '../admin-routes'
import { cancelRun, extendRun, retryRun } from './change-run'
import { listRuns } from './list-runs'
import { resendMessage } from './resend-message'
import { resendRun } from './resend-run'
import { showRunColumns } from './run-columns'
import { showRun } from './show-run'

/** Where durable runs are seen and changed. */
export const RUN_ROUTES: readonly AdminRoute[] = [
  { name: 'runs', method: 'GET', path: 'runs', handle: listRuns },
  { name: 'runColumns', method: 'GET', path: 'run-columns', handle: showRunColumns },
  { name: 'run', method: 'GET', path: 'runs/:id', handle: showRun },
  { name: 'cancelRun', method: 'POST', path: 'runs/:id/cancel', handle: cancelRun },
  { name: 'retryRun', method: 'POST', path: 'runs/:id/retry', handle: retryRun },
  { name: 'extendRun', method: 'POST', path: 'runs/:id/extend', handle: extendRun },
  { name: 'resendRun', method: 'POST', path: 'runs/:id/resend', handle: resendRun },
  {
    name: 'resendMessage',
    method: 'POST',
    path: 'runs/:id/messages/:message/resend',
    handle: resendMessage,
  },
]
