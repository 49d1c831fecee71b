import { randomUUID } from 'node:crypto'
import { useResponse } from '@wooksjs/event-http'
import { peekRun, type RequestToken, type WfTriggerDeps } from '../../run'
import { CONFIRM, REQUEST_ID, type TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { askToConfirm } from './answer-page'

/** Looks at a token for GET and HEAD. Mail scanners open every link: reading one is not using it. */
export async function peekToken(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
  token: RequestToken,
  asPage: boolean,
): Promise<unknown> {
  const { state, expiresAt, shown } = await peekRun(config, deps, request)
  useResponse().setStatus(200)
  const wfid = state.schemaId
  if (!asPage) {
    const form = shown && config.envelope.form(shown.form.schema, shown.context)
    return { resumable: true, wfid, expiresAt, ...form }
  }
  const fields = {
    // A cookie that scripts cannot see must not stand on a page that they can.
    ...(request.source !== 'cookie' && { [config.token.name]: String(token.text) }),
    [CONFIRM]: '1',
    // A double click on the button is one request.
    [REQUEST_ID]: randomUUID(),
  }
  return askToConfirm(config, { wfid, expiresAt, fields })
}
