import type { AdminRoute } from '../admin-routes'
import { actOnRuns, previewDeed } from './act-on-runs'
import { cancelRun, extendRun, retryRun } from './change-run'
import { countRuns } from './count-runs'
import { exportRuns } from './export-runs'
import { listRuns } from './list-runs'
import { previewMessage } from './preview-message'
import { reassignRun } from './reassign-run'
import { resendMessage } from './resend-message'
import { resendRun } from './resend-run'
import { showRunColumns } from './run-columns'
import { showFunnel } from './show-funnel'
import { showTrends } from './show-trends'
import { showRun } from './show-run'

/** Where durable runs are seen and changed. */
export const RUN_ROUTES: readonly AdminRoute[] = [
  { name: 'runs', method: 'GET', path: 'runs', handle: listRuns },
  { name: 'runColumns', method: 'GET', path: 'run-columns', handle: showRunColumns },
  { name: 'runCounts', method: 'GET', path: 'run-counts', handle: countRuns },
  { name: 'runFunnel', method: 'GET', path: 'run-funnel', handle: showFunnel },
  { name: 'runTrends', method: 'GET', path: 'run-trends', handle: showTrends },
  { name: 'runExport', method: 'GET', path: 'run-export', handle: exportRuns },
  { name: 'previewDeed', method: 'POST', path: 'run-actions/preview', handle: previewDeed },
  { name: 'actOnRuns', method: 'POST', path: 'run-actions', handle: actOnRuns },
  { name: 'run', method: 'GET', path: 'runs/:id', handle: showRun },
  { name: 'cancelRun', method: 'POST', path: 'runs/:id/cancel', handle: cancelRun },
  { name: 'retryRun', method: 'POST', path: 'runs/:id/retry', handle: retryRun },
  { name: 'extendRun', method: 'POST', path: 'runs/:id/extend', handle: extendRun },
  { name: 'resendRun', method: 'POST', path: 'runs/:id/resend', handle: resendRun },
  { name: 'reassignRun', method: 'POST', path: 'runs/:id/reassign', handle: reassignRun },
  { name: 'message', method: 'GET', path: 'runs/:id/messages/:message', handle: previewMessage },
  {
    name: 'resendMessage',
    method: 'POST',
    path: 'runs/:id/messages/:message/resend',
    handle: resendMessage,
  },
]
