import type { Admin } from '../admin-routes'
import { describeSteps } from '../describe-steps'
import { timeOf } from '../flow-status'
import { hideTokens } from '../hide-tokens'
import { redactContext } from '../redact-context'
import { describeRunSteps } from './describe-run-steps'
import type { WfAdminRunView } from './run-answers'
import { runColumns } from './run-columns'
import { readRun, runsOf } from './runs-of'
import { shownEvent } from './shown-event'
import { toAdminAsked } from './to-admin-asked'
import { toAdminMessage } from './to-admin-message'
import { toAdminRun } from './to-admin-run'

/** All that may be known of one run, with what has happened to it. */
export async function showRun(admin: Admin): Promise<WfAdminRunView> {
  const { store, wf, isSecret } = admin
  const run = await readRun(admin)
  const now = timeOf(store)
  const events = await runsOf(admin).history(run.flowId)
  const links = await runsOf(admin).links(run.flowId)
  const [link] = links
  const told = await runsOf(admin).messages(run.flowId)
  const messages = told.map(message => toAdminMessage(message, links, run))
  const { steps, groups } = describeSteps(wf.describe?.(run.schemaId), run.indexes)
  const show = (value: unknown) => redactContext(value, { isSecret, hide: [] })
  const answer = {
    ...toAdminRun(run, runColumns(admin), now),
    now,
    expiresAt: (run.asked ? run : link)?.expiresAt ?? null,
    recipient: run.asked ? null : (link?.recipient ?? null),
    asked: toAdminAsked({ run, links, messages, events, now }, show),
    retryState: run.retryState ?? null,
    deadline: run.deadline ?? null,
    wakeAt: run.wakeAt ?? null,
    waitsFor: run.waitsFor ?? null,
    context: show(run.context),
    metadata: show(run.metadata ?? null),
    result: show(run.result ?? null),
    messages,
    history: events.map(event => shownEvent(event, show)),
    steps: describeRunSteps(steps, events),
    groups,
  }
  return hideTokens(answer, texts => store.handlesAmong(texts))
}
