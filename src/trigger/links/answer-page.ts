import { useResponse } from '@wooksjs/event-http'
import { isRecord } from '../../state'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { isWfFinished } from '../../run'
import { confirmPage, messagePage, type WfConfirmInfo } from './confirm-page'
import { leadsTo, sendPage, themeOf, withToken } from './send-page'

/** Asks whoever has opened a link to go on with it. */
export function askToConfirm(config: ResolvedOutletConfig, info: WfConfirmInfo): string {
  const { confirm } = config.page
  const target = leadsTo(config, info.wfid)
  if (typeof confirm !== 'function') return sendPage(confirmPage(info, confirm, target))
  const csp = `frame-ancestors 'none'; base-uri 'none'; form-action ${target}`
  return sendPage({ html: confirm(info), csp })
}

/**
 * Answers a person instead of a program: what would be JSON becomes the next page, or a sentence.
 *
 * @param wfid of the answer; there is none if it is a refusal
 */
export function answerPerson(
  config: ResolvedOutletConfig,
  body: unknown,
  wfid: string | undefined,
): unknown {
  const response = useResponse()
  if (response.getHeader('location') !== undefined) return ''
  if (isRecord(body) && body.inputRequired !== undefined && wfid !== undefined) {
    const address = withToken(config, config.page.resumeUrl(wfid), body[config.token.name])
    response.setStatus(303).setHeader('location', address)
    return ''
  }
  return sendPage(messagePage({ title: sentenceOf(body) }, themeOf(config)))
}

function sentenceOf(body: unknown): string {
  const message = isRecord(body) ? body.message : undefined
  const sentence = isRecord(message) ? message.text : message
  if (typeof sentence === 'string') return sentence
  if (isRecord(body) && body.sent === true) return 'A message is on its way.'
  return isWfFinished(body) ? 'Done. You can close this page.' : 'Thank you.'
}
